import { execFile } from 'node:child_process'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readSendOptions } from '../src/command/send-options.ts'
import { createWebhook, sendWebhook, WEBHOOK_FAULTS, WEBHOOK_TYPES } from '../src/index.ts'
import { COMMAND } from './mock-process.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OLD_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`

interface DeliveredEvent {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly attempt: number
  readonly data: { readonly job?: { readonly id: string; readonly status: string } }
}

/** What a receiver got, and what it found by the library that most receivers use. */
interface ReceivedDelivery {
  readonly headers: IncomingHttpHeaders
  readonly event: DeliveredEvent
  readonly genuine: boolean
}

const received: ReceivedDelivery[] = []
/** The statuses of the answers to come; 204 for a genuine event and 400 for another when there is none. */
const statuses: number[] = []
let to = ''

const receiver = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  let genuine = true
  try {
    new Webhook(SECRET).verify(body, request.headers as Record<string, string>)
  } catch {
    genuine = false
  }
  received.push({ headers: request.headers, event: JSON.parse(body) as DeliveredEvent, genuine })
  const status = statuses.shift() ?? (genuine ? 204 : 400)
  response.writeHead(status, status === 302 ? { location: to } : {})
  response.end(status === 204 ? undefined : `answer ${'ä'.repeat(3000)}`)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  to = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks?tenant=7`
})
afterAll(() => new Promise((resolve) => receiver.close(resolve)))
beforeEach(() => {
  received.length = 0
  statuses.length = 0
})

interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function send(...args: readonly string[]): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, 'send', ...args], (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    )
  })
}

describe('a webhook of the mock', () => {
  it.each(WEBHOOK_TYPES)('%s verifies at its receiver and has the form of the service', async (type) => {
    expect(await sendWebhook(to, { type, secret: SECRET })).toMatchObject({ delivered: true, status: 204 })
    const [{ headers, event, genuine } = {} as ReceivedDelivery] = received
    expect(genuine).toBe(true)
    expect(event).toMatchObject({ id: headers['webhook-id'], type, attempt: 1 })
    expect(event.id).toMatch(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-attempt': '1' })
    expect(event.data.job?.status).toBe(type.startsWith('job.') ? type.replace('job.', '') : undefined)
    expect('watch' in event.data).toBe(type.startsWith('watch.'))
  })

  it.each(WEBHOOK_FAULTS)('with a wrong %s is refused', async (wrong) => {
    const outcome = await sendWebhook(to, { type: 'job.failed', secret: SECRET, wrong })
    expect(outcome).toMatchObject({ delivered: false, status: 400 })
    expect(received.map(({ genuine }) => genuine)).toEqual([false])
  })

  it('has a signature for each secret during a rotation', async () => {
    await sendWebhook(to, { type: 'job.failed', secret: [OLD_SECRET, SECRET] })
    expect(received[0]?.genuine).toBe(true)
    expect(String(received[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2)
  })

  it.each([
    [{ type: 'job.done' }, /Unknown event type job\.done/],
    [{ type: 'job.failed', secret: 'whsec_short' }, /The secret is malformed/],
    [{ type: 'job.failed', secret: SECRET.slice(6) }, /The secret is malformed/],
    [{ type: 'job.failed', attempt: 0 }, /whole number of 1 or more/],
    [{ type: 'job.failed', eventId: 'a b' }, /event id/],
    [{ type: 'job.failed', wrong: 'everything' }, /Unknown fault everything/],
  ])('is refused as %j', (options, message) => {
    expect(() => createWebhook(options as Parameters<typeof createWebhook>[0])).toThrow(message)
  })
})

describe('a response of a receiver', () => {
  it.each([
    [200, true],
    [299, true],
    [302, false],
    [400, false],
    [500, false],
  ])('with status %i counts as delivered: %s', async (status, delivered) => {
    statuses.push(status)
    const outcome = await sendWebhook(to, { type: 'webhook.ping', secret: SECRET })
    expect(outcome).toMatchObject({ delivered, status, error: null })
    expect(outcome.preview).toMatch(/^answer ä+$/)
    expect(Buffer.byteLength(outcome.preview)).toBeLessThanOrEqual(1024)
    expect(received).toHaveLength(1)
  })

  it('that does not arrive is reported in a sentence', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
    try {
      expect(await sendWebhook(url, { type: 'webhook.ping', timeoutMs: 50 })).toMatchObject({
        delivered: false,
        status: null,
        error: 'The receiver did not answer within 0.05 seconds.',
      })
    } finally {
      silent.closeAllConnections()
      silent.close()
    }
    await expect.poll(async () => (await sendWebhook(url, { type: 'webhook.ping' })).error).toMatch(/refused/)
  })
})

describe('the send command', () => {
  it('prints what it sent and what the receiver returned', async () => {
    statuses.push(201)
    const { code, stdout } = await send('job.succeeded', '--to', to, '--secret', SECRET)
    expect(code).toBe(0)
    expect(stdout).toContain(`→ POST ${to}`)
    expect(stdout).toContain(`job.succeeded, ${received[0]?.event.id}, attempt 1`)
    expect(stdout).toMatch(/← 201: delivered, after \d+ ms\n {2}answer/)
  })

  it('fails if the response is not 2xx', async () => {
    statuses.push(503)
    const { code, stdout } = await send('job.succeeded', '--to', to, '--secret', SECRET)
    expect([code, stdout.includes('← 503: not delivered')]).toEqual([1, true])
  })

  it('succeeds for an invalid delivery only if the receiver refuses it', async () => {
    const args = ['--secret', SECRET, '--wrong', 'signature']
    const { code, stdout, stderr } = await send('job.failed', '--to', to, ...args)
    expect(received.map(({ genuine }) => genuine)).toEqual([false])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('signed with another secret: a receiver must refuse it')
  })

  it('reports a receiver that accepts a delivery without a valid signature', async () => {
    statuses.push(200, 500)
    const wrong = ['job.failed', '--to', to, '--wrong', 'signature']
    const { code, stderr } = await send(...wrong)
    expect(code).toBe(1)
    expect(stderr).toContain('accepted a delivery that it must refuse')
    // Nor is it a refusal when the receiver breaks down.
    expect((await send(...wrong)).code).toBe(1)
  })

  it('repeats one event, as after lost responses', async () => {
    const args = ['--event-id', 'evt_1', '--attempt', '2', '--times', '3', '--job-id', 'j1']
    expect((await send('job.aborted', '--to', to, '--secret', SECRET, ...args)).code).toBe(0)
    expect(received.map(({ event }) => [event.id, event.attempt, event.data.job?.id])).toEqual([
      ['evt_1', 2, 'j1'],
      ['evt_1', 3, 'j1'],
      ['evt_1', 4, 'j1'],
    ])
    expect(received.every(({ genuine }) => genuine)).toBe(true)
  })

  it('retries until the delivery is accepted, three times at most', async () => {
    const retry = ['job.failed', '--to', to, '--secret', SECRET, '--retry', '--backoff', '0.001']
    statuses.push(500, 302)
    expect((await send(...retry)).code).toBe(0)
    expect(received.map(({ event }) => event.attempt)).toEqual([1, 2, 3])
    expect(new Set(received.map(({ event }) => event.id)).size).toBe(1)
    statuses.push(500, 500, 500, 200)
    expect((await send(...retry)).code).toBe(1)
    expect(received).toHaveLength(6)
  })

  it('prints the delivery instead of sending it with --print', async () => {
    const { code, stdout } = await send('webhook.ping', '--print', '--secret', SECRET)
    const [head = '', body = ''] = stdout.trimEnd().split('\n\n')
    const headers = Object.fromEntries(head.split('\n').map((line) => line.split(': ', 2)))
    expect(() => new Webhook(SECRET).verify(body, headers)).not.toThrow()
    expect([code, received.length]).toEqual([0, 0])
  })

  it('prints a help text', async () => {
    const { code, stdout } = await send('--help')
    expect(code).toBe(0)
    for (const word of [...WEBHOOK_TYPES, '--to', '--secret', '--wrong', '--times', 'Exit code']) {
      expect(stdout).toContain(word)
    }
  })

  it('refuses unknown arguments with a one-line error', async () => {
    const { code, stdout, stderr } = await send('job.done', '--to', 'http://localhost/')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe(
      'Unknown event type job.done. Use job.succeeded, job.failed, job.timed_out, job.aborted, watch.changes,' +
        ' watch.ready, watch.paused, watch.quarantined, credits.low, key.limit_reached or webhook.ping. See lotline-mock send --help.\n',
    )
  })

  it.each([
    [[], /The event type is missing/],
    [['job.failed'], /--to URL/],
    [['job.failed', '--to', 'localhost:3000'], /begins with http/],
    [['job.failed', '--to', 'http://a:b@localhost/'], /must not contain a user name/],
    [['job.failed', 'job.aborted', '--to', 'http://localhost/'], /Only one event can be sent at a time/],
    [['job.failed', '--to', 'http://localhost/', '--times', '0'], /--times must be a whole number/],
    [
      ['job.failed', '--to', 'http://localhost/', '--times', '2', '--retry'],
      /--retry and --times cannot be combined/,
    ],
    [['job.failed', '--to', 'http://localhost/', '--twice'], /--twice/],
  ])('refuses %j', (args, message) => {
    expect(() => readSendOptions(args, {})).toThrow(message)
  })

  it('also reads the secret from its environment, where it is not visible in the process list', () => {
    const args = ['job.failed', '--to', to]
    const env = { LOTLINE_WEBHOOK_SECRET: SECRET }
    expect(readSendOptions(args, env)).toMatchObject({ event: { secret: [SECRET] } })
    expect(readSendOptions([...args, '--secret', OLD_SECRET], env)).toMatchObject({
      event: { secret: [OLD_SECRET] },
    })
  })
})
