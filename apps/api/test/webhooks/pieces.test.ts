import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { bodyOf, createEventId } from '../../src/webhooks/event.ts'
import { inGroups } from '../../src/webhooks/in-groups.ts'
import { previewOf } from '../../src/webhooks/preview.ts'
import { retryDelayMs } from '../../src/webhooks/retry-schedule.ts'
import { createSecret, showSecret, signedHeaders } from '../../src/webhooks/sign.ts'

describe('a signature', () => {
  it('is one that the Standard Webhooks library accepts, whatever the body holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, attempt) => {
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

  it('is there for each secret, and for no other', () => {
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

  it('carries the second in which the attempt was sent', () => {
    const headers = signedHeaders(
      { id: 'evt_1', attempt: 2, body: Buffer.from('') },
      [],
      new Date(1_795_194_133_999),
    )
    expect(headers).toMatchObject({ 'webhook-timestamp': '1795194133', 'webhook-attempt': '2' })
  })

  it('is made with a secret of the form that the contract promises', () => {
    expect(showSecret(createSecret())).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  })
})

describe('the waits between attempts', () => {
  it('are a minute and four minutes, give or take a tenth', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
        const [first, second] = [1, 2].map((failed) => retryDelayMs(failed, 60_000, () => random))
        expect(first).toBeGreaterThanOrEqual(54_000)
        expect(first).toBeLessThanOrEqual(66_000)
        expect(second).toBeGreaterThanOrEqual(216_000)
        expect(second).toBeLessThanOrEqual(264_000)
      }),
    )
    expect(retryDelayMs(1, 60_000, () => 0.5)).toBe(60_000)
    expect(retryDelayMs(2, 60_000, () => 0.5)).toBe(240_000)
  })
})

describe('the preview of an answer', () => {
  it('is at most 1 KiB of valid UTF-8, whatever the answer is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4096 }), (bytes) => {
        const preview = previewOf(Buffer.from(bytes))
        expect(Buffer.byteLength(preview)).toBeLessThanOrEqual(1024)
        expect(preview.isWellFormed()).toBe(true)
        expect(preview).not.toContain('\0')
      }),
    )
  })

  it('is the answer itself where that is short enough', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        fc.pre(!text.includes('\0') && !text.startsWith('\uFEFF') && text.isWellFormed())
        expect(previewOf(Buffer.from(text))).toBe(text)
      }),
    )
  })

  it('never ends within a character', () => {
    for (let before = 1020; before <= 1024; before++) {
      const preview = previewOf(Buffer.from(`${'a'.repeat(before)}😀😀`))
      expect(preview).toBe('a'.repeat(before) + (before <= 1020 ? '😀' : ''))
    }
  })

  it('shows what is no UTF-8 as replacement characters', () => {
    expect(previewOf(Buffer.from([0x66, 0xff, 0x00, 0x6f]))).toBe('f\uFFFD\uFFFDo')
  })
})

describe('work in groups', () => {
  it('answers each of many callers, in order, in few rounds', async () => {
    const groups: number[] = []
    const double = inGroups<number, number>(10, async (group) => {
      groups.push(group.length)
      return group.map((one) => one * 2)
    })
    const answers = await Promise.all(Array.from({ length: 25 }, (_, index) => double(index)))
    expect(answers).toEqual(Array.from({ length: 25 }, (_, index) => index * 2))
    expect(groups).toEqual([10, 10, 5])
  })

  it('hands a failure to the group that it happened in, and goes on', async () => {
    let round = 0
    const work = inGroups<string, string>(2, async (group) => {
      round += 1
      if (round === 1) throw new Error('first')
      return group
    })
    const [a, b, c] = await Promise.allSettled([work('a'), work('b'), work('c')])
    expect([a?.status, b?.status, c?.status]).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(await work('d')).toBe('d')
  })
})
