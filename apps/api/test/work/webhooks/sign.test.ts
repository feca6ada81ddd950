import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { bodyOf, createEventId } from '../../../src/work/events/event.ts'
import { createSecret, showSecret, signedHeaders } from '../../../src/work/webhooks/sign.ts'
import { anyText } from '../../setup/any-text.ts'

describe('a signature', () => {
  it('is accepted by the Standard Webhooks library, whatever the body contains', () => {
    fc.assert(
      fc.property(anyText(), fc.integer({ min: 1, max: 9 }), (text, attempt) => {
        const secret = createSecret()
        const id = createEventId()
        const data = JSON.stringify({ text })
        const body = bodyOf({ id, type: 'job.succeeded', happenedAt: new Date(), attempt, data })
        const headers = signedHeaders({ id, attempt, body }, [secret])
        const verified = new Webhook(showSecret(secret)).verify(body.toString(), headers) as { data: unknown }
        expect(verified).toMatchObject({ id, attempt })
        expect(verified.data).toEqual(JSON.parse(data))
      }),
    )
  })

  it('exists for each secret, and for no other', () => {
    const [one, two, other] = [createSecret(), createSecret(), createSecret()]
    const id = createEventId()
    const body = Buffer.from('{}')
    const headers = signedHeaders({ id, attempt: 1, body }, [one, two])
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(2)
    for (const secret of [one, two]) new Webhook(showSecret(secret)).verify('{}', headers)
    expect(() => new Webhook(showSecret(other)).verify('{}', headers)).toThrow()
    expect(() => new Webhook(showSecret(one)).verify('{ }', headers)).toThrow()
    expect(() =>
      new Webhook(showSecret(one)).verify('{}', { ...headers, 'webhook-id': createEventId() }),
    ).toThrow()
  })

  it('contains the second in which the attempt was sent', () => {
    const headers = signedHeaders(
      { id: 'evt_1', attempt: 2, body: Buffer.from('') },
      [],
      new Date(1_795_194_133_999),
    )
    expect(headers).toMatchObject({ 'webhook-timestamp': '1795194133', 'webhook-attempt': '2' })
  })

  it('uses a secret of the form that the contract promises', () => {
    expect(showSecret(createSecret())).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  })
})
