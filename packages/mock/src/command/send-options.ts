// The options of `lotline-mock send`, and its help.

import { parseArgs } from 'node:util'
import type { WebhookFault, WebhookOptions } from '../webhooks/create-webhook.ts'
import type { WebhookType } from '../webhooks/events.ts'
import { parseTarget } from '../webhooks/target.ts'

export const SEND_HELP = `Usage: lotline-mock send EVENT --to URL [--secret whsec_…] [options]

Sends an event to your receiver, signed as the service signs it, and shows the response.

  EVENT            job.succeeded, job.failed, job.timed_out or job.aborted: the example of the contract
                   watch.changes, watch.ready, watch.paused or watch.quarantined: the same for a watch
                   credits.low or key.limit_reached: the same for the credits of the account or of a key
                   webhook.ping: the test delivery that an operator can send; it has no job
  --to URL         URL of your receiver, for example http://localhost:3000/hooks.
  --secret S       Secret to sign with. Repeat it to sign with two, as while a secret is replaced. Default:
                   LOTLINE_WEBHOOK_SECRET, or the secret that the mock's POST /v1/webhooks returns.

  --event-id ID    Id of the event (webhook-id). Default: a new one. The same id again is a repeated event.
  --attempt N      Number of the attempt (webhook-attempt). Default: 1.
  --job-id ID      Id of the job in the event.
  --times N        Send the event N times, as after a lost response. Your receiver must act on it once.
  --retry          Send again until accepted, up to three times, after 1 and 4 seconds.
  --backoff S      First of these pauses, in seconds. The service uses 60.
  --timeout S      Seconds to wait for the response. Default: 15, as in the service.
  --wrong PART     Send a delivery that your receiver must refuse:
                     signature   signed with another secret
                     timestamp   signed ten minutes ago (five are allowed)
                     body        changed after it was signed
                     headers     not signed at all
  --print          Print headers and body instead of sending them.
  --help           Print this help.

Exit codes: 0 response 2xx, or 4xx to a --wrong delivery; 1 any other response, or none; 2 wrong command line.

  lotline-mock send job.succeeded --to http://localhost:3000/hooks --secret whsec_…
  lotline-mock send job.failed --to http://localhost:3000/hooks --secret whsec_… --wrong signature

A receiver verifies the signature over the exact body first, responds with 2xx within 15 seconds, does long work after
that, and recognizes repeated events by webhook-id. The service sends only to https and public addresses.
`

export interface SendCommand {
  readonly event: WebhookOptions
  /** undefined if the delivery is printed instead of sent. */
  readonly to: URL | undefined
  readonly times: number
  readonly retry: boolean
  readonly backoffMs: number
  readonly timeoutMs: number
}

/** The environment variables that the command reads. */
export interface SendEnvironment {
  /** The default secret if `--secret` is absent. */
  readonly LOTLINE_WEBHOOK_SECRET?: string | undefined
}

/** @throws Error with a sentence that says what is wrong */
export function readSendOptions(args: readonly string[], env: SendEnvironment): SendCommand | 'help' {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      secret: { type: 'string', multiple: true },
      'event-id': { type: 'string' },
      attempt: { type: 'string' },
      'job-id': { type: 'string' },
      times: { type: 'string' },
      retry: { type: 'boolean', default: false },
      backoff: { type: 'string' },
      timeout: { type: 'string' },
      wrong: { type: 'string' },
      print: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false, short: 'h' },
    },
  })
  if (values.help) return 'help'
  const [type, ...more] = positionals
  if (type === undefined) throw new Error('The event type is missing. Name one, for example job.succeeded.')
  if (more.length > 0)
    throw new Error(`Only one event can be sent at a time. Remove ${more.join(', ')} from the arguments.`)
  const to = values.to === undefined || values.print ? undefined : parseTarget(values.to)
  if (to === undefined && !values.print) throw new Error('The target is missing. Set it with --to URL.')
  if (values.retry && values.times !== undefined)
    throw new Error('--retry and --times cannot be combined. Use one of them.')
  const secret = values.secret ?? (env.LOTLINE_WEBHOOK_SECRET ? [env.LOTLINE_WEBHOOK_SECRET] : undefined)
  return {
    event: {
      // Whether there is such an event, and such a fault, is found where it is made.
      type: type as WebhookType,
      ...(secret && { secret }),
      ...(values['event-id'] !== undefined && { eventId: values['event-id'] }),
      ...(values.attempt !== undefined && { attempt: readWholeNumber('--attempt', values.attempt, 1000) }),
      ...(values['job-id'] !== undefined && { jobId: values['job-id'] }),
      ...(values.wrong !== undefined && { wrong: values.wrong as WebhookFault }),
    },
    to,
    times: readWholeNumber('--times', values.times ?? '1', 1000),
    retry: values.retry,
    backoffMs: readSeconds('--backoff', values.backoff ?? '1'),
    timeoutMs: readSeconds('--timeout', values.timeout ?? '15'),
  }
}

function readWholeNumber(name: string, text: string, most: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= 1 && value <= most) return value
  throw new Error(`${name} must be a whole number from 1 to ${most}, not ${text}.`)
}

/** Reads a number of seconds and returns milliseconds. */
function readSeconds(name: string, text: string): number {
  const value = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= 3600) return Math.ceil(value * 1000)
  throw new Error(`${name} must be a number of seconds above 0, up to 3600, not ${text}.`)
}
