// `lotline-mock send`: sends a signed event to a receiver and shows its answer. Exit code 0: every answer was as it must be,
// 2xx, or 4xx to what is --wrong (with --retry: the last one); 1: one was not, or none came; 2: nothing was sent, because
// the command cannot be used so.

import { setTimeout as pause } from 'node:timers/promises'
import type { WebhookOptions } from '../webhooks/create-webhook.ts'
import { readSendOptions, SEND_HELP, type SendCommand } from './send-options.ts'

/** The service also makes this many attempts. */
const MAX_ATTEMPTS = 3

export async function send(args: readonly string[]): Promise<void> {
  try {
    const command = readSendOptions(args, { LOTLINE_WEBHOOK_SECRET: process.env.LOTLINE_WEBHOOK_SECRET })
    if (command === 'help') process.stdout.write(SEND_HELP)
    else process.exitCode = await run(command)
  } catch (error) {
    const [problem] = (error as Error).message.split('\n', 1)
    console.error(`${problem?.replace(/\.?$/, '.')} See lotline-mock send --help.`)
    process.exitCode = 2
  }
}

async function run(command: SendCommand): Promise<0 | 1> {
  // The contract is loaded here because it is large.
  const { createWebhook } = await import('../index.ts')
  const { to, times, retry, backoffMs } = command
  const { eventId, headers, body } = createWebhook(command.event)
  if (to === undefined) {
    for (const [name, value] of Object.entries(headers)) console.log(`${name}: ${value}`)
    console.log(`\n${body}`)
    return 0
  }
  const first = command.event.attempt ?? 1
  const last = retry ? Math.max(first, MAX_ATTEMPTS) : first + times - 1
  let failures = 0
  for (let attempt = first; attempt <= last; attempt++) {
    // All attempts send the same event.
    const isRight = await attemptOnce(command, to, { ...command.event, eventId, attempt })
    if (retry && isRight) return 0
    if (!isRight) failures++
    if (retry && attempt < last) await waitBefore(attempt - first + 1, backoffMs)
  }
  return failures === 0 ? 0 : 1
}

/** Sends one attempt. Returns whether the receiver responded correctly. */
async function attemptOnce({ timeoutMs }: SendCommand, to: URL, event: WebhookOptions): Promise<boolean> {
  const { DEMO_SECRET, sendWebhook } = await import('../index.ts')
  const { type, eventId, attempt, wrong, secret } = event
  console.log(`→ POST ${to.href}\n  ${type}, ${eventId}, attempt ${attempt}`)
  if (secret === undefined) console.log(`  signed with the mock's own secret, ${DEMO_SECRET}`)
  if (wrong) console.log(`  ${STATUS_EXPLANATIONS[wrong]}: a receiver must refuse it`)
  const startedAt = performance.now()
  const { delivered, status, preview, error } = await sendWebhook(to, { ...event, timeoutMs })
  const ms = Math.round(performance.now() - startedAt)
  if (status === null) console.error(`✖ ${error}`)
  else console.log(`← ${status}${explainStatus(status)}, after ${ms} ms`)
  if (preview.trim() !== '') console.log(indent(preview))
  if (!wrong) return delivered
  if (delivered) console.error('✖ The receiver accepted a delivery that it must refuse.')
  return status !== null && status >= 400 && status < 500
}

const STATUS_EXPLANATIONS = {
  signature: 'signed with another secret',
  timestamp: 'signed ten minutes ago',
  body: 'changed after it was signed',
  headers: 'not signed at all',
}

function explainStatus(status: number): string {
  if (status >= 200 && status < 300) return ': delivered'
  return status >= 300 && status < 400 ? ': not delivered, as redirects are not followed' : ': not delivered'
}

/** After the first failure the base, after the second four times as long. */
async function waitBefore(failures: number, backoffMs: number): Promise<void> {
  const ms = backoffMs * failures ** 2
  console.log(`  again in ${ms / 1000} s\n`)
  await pause(ms)
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '  ')
}
