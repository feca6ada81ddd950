// verifyWebhook against an independent implementation of Standard Webhooks, which signs here.

import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { verifyWebhook, type WebhookHeaders, WebhookVerificationError } from '../src/index.ts'

const SECRET = newSecret()
const BODY = JSON.stringify({ id: 'evt_1', type: 'job.succeeded', attempt: 1, data: { job: { id: 'ü' } } })

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

interface Delivery {
  readonly secret?: string
  readonly body?: string
  readonly id?: string
  readonly ageSeconds?: number
}

/** The headers of a delivery, signed by the other implementation. */
function sign({ secret = SECRET, body = BODY, id = 'evt_1', ageSeconds = 0 }: Delivery = {}) {
  const at = new Date(Date.now() - ageSeconds * 1000)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
}

function refused(payload: string, headers: WebhookHeaders, secret: string | string[] = SECRET) {
  return expect(verifyWebhook(payload, headers, secret)).rejects.toThrow(WebhookVerificationError)
}

describe('a genuine delivery', () => {
  it('is returned as its event', async () => {
    expect(await verifyWebhook(BODY, sign(), SECRET)).toEqual(JSON.parse(BODY))
  })

  it('may be passed as text or as bytes', async () => {
    const buffer = Buffer.from(`..${BODY}`).subarray(2)
    const { buffer: whole } = Uint8Array.from(Buffer.from(BODY))
    for (const payload of [BODY, buffer, new TextEncoder().encode(BODY), whole]) {
      expect((await verifyWebhook(payload, sign(), SECRET)).id).toBe('evt_1')
    }
  })

  it('may be passed with its headers in any common form', async () => {
    const headers = sign()
    const cased = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.replace('webhook', 'Webhook'), value]),
    )
    for (const form of [headers, cased, new Headers(headers), new Map(Object.entries(headers))]) {
      expect((await verifyWebhook(BODY, form as WebhookHeaders, SECRET)).id).toBe('evt_1')
    }
  })

  it('is accepted with a secret that lacks its prefix', async () => {
    expect((await verifyWebhook(BODY, sign(), SECRET.slice('whsec_'.length))).id).toBe('evt_1')
  })

  it.each([290, -290])('may be %i s old', async (ageSeconds) => {
    expect((await verifyWebhook(BODY, sign({ ageSeconds }), SECRET)).id).toBe('evt_1')
  })

  it('may be as old as the tolerance of the receiver', async () => {
    const headers = sign({ ageSeconds: 3_000 })
    expect((await verifyWebhook(BODY, headers, SECRET, { toleranceSeconds: 3_600 })).id).toBe('evt_1')
  })
})

describe('during the rotation of a secret', () => {
  const other = newSecret()

  it('either secret of the receiver is accepted', async () => {
    for (const secret of [SECRET, other]) {
      expect((await verifyWebhook(BODY, sign({ secret }), [other, SECRET])).id).toBe('evt_1')
    }
  })

  it('any signature of the delivery is accepted, and unknown signature versions are ignored', async () => {
    const headers = sign()
    const ours = headers['webhook-signature']
    const foreign = sign({ secret: other })['webhook-signature']
    for (const signatures of [
      `${foreign} ${ours}`,
      `${ours} ${foreign}`,
      `v2,abc v1a,${ours} junk ${ours}`,
    ]) {
      expect((await verifyWebhook(BODY, { ...headers, 'webhook-signature': signatures }, SECRET)).id).toBe(
        'evt_1',
      )
    }
  })
})

describe('a delivery is refused', () => {
  const headers = sign()

  it('when a byte of its body was changed', () => refused(BODY.replace('ü', 'u'), headers))
  it('when it was signed with another secret', () => refused(BODY, sign({ secret: newSecret() })))
  it('when its id was changed', () => refused(BODY, { ...headers, 'webhook-id': 'evt_2' }))
  it('when its time was changed', () => refused(BODY, { ...headers, 'webhook-timestamp': '1' }))
  it('when it is too old', () => refused(BODY, sign({ ageSeconds: 310 })))
  it('when it is from the future', () => refused(BODY, sign({ ageSeconds: -310 })))
  it('when it is signed but its body is not JSON', () => refused('text', sign({ body: 'text' })))
  it.each(Object.keys(headers))('when it has no %s', (name) =>
    refused(BODY, { ...headers, [name]: undefined }),
  )
  it.each([
    '',
    'v1,',
    'v1',
    'v1,%%%',
    `v1,${Buffer.alloc(32).toString('base64')}`,
    headers['webhook-signature'].slice(3),
    headers['webhook-signature'].replace('v1,', 'v1a,'),
    headers['webhook-signature'].slice(0, -4),
  ])('when its signature is %j', (signature) => refused(BODY, { ...headers, 'webhook-signature': signature }))
})

describe("a mistake in the receiver's code throws a TypeError", () => {
  it.each([
    ['a body that was parsed', JSON.parse(BODY) as string, SECRET],
    ['no secret', BODY, [] as string[]],
    ['an empty secret', BODY, ''],
    ['a secret that is none', BODY, 'whsec_§'],
    ['an undefined secret', BODY, undefined as unknown as string],
  ])('%s', async (_, payload, secret) => {
    await expect(verifyWebhook(payload, sign(), secret)).rejects.toThrow(TypeError)
  })
})
