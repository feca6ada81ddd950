// Every fault of a provider over HTTP: its error, whether the query is retried, and that the service recovers with the provider.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpProvider } from '../../../../src/data/sources/http/http-provider.ts'
import {
  type Provider,
  ProviderFailure,
  ProviderTimeout,
  type QueryContext,
  TransientFailure,
} from '../../../../src/data/sources/provider.ts'
import { makeResilient } from '../../../../src/data/sources/resilience/resilient-provider.ts'
import { SAMPLE } from '../../../domain/record/sample-records.ts'
import {
  type Fault,
  PROVIDER_WORDS,
  startReferenceProvider,
  withReferenceProvider,
} from '../../../setup/reference-provider/start.ts'

const reference = withReferenceProvider({ records: SAMPLE })
afterEach(() => reference.recover())

const RECOVERY_MS = 10_000
/** Long enough for a response of the provider on a busy machine. */
const TIMEOUT_MS = 1_500
const patient: QueryContext = { signal: new AbortController().signal }
const zpid = SAMPLE[0]!.zpid!
const SEARCH = { status: 'for_sale', bbox: { west: -180, south: -90, east: 180, north: 90 } } as const

const bare = () => createHttpProvider({ url: reference.url })
const guarded = (timeoutMs = TIMEOUT_MS) => makeResilient(bare(), { timeoutMs })

async function errorOf(query: Promise<unknown>): Promise<unknown> {
  return query.then(
    () => 'an answer',
    (error: unknown) => error,
  )
}

const MAY_PASS: readonly (readonly [name: string, fault: Fault])[] = [
  ['a reset connection', { kind: 'reset' }],
  ['a body that is cut off', { kind: 'truncate' }],
  ...[429, 500, 502, 503, 504].map((status) => [`status ${status}`, { kind: 'status', status }] as const),
]

const UNUSABLE: readonly (readonly [name: string, fault: Fault])[] = [
  ['a web page', { kind: 'html' }],
  ['another content type', { kind: 'content-type', type: 'text/plain' }],
  ['a content type of JSON lines', { kind: 'content-type', type: 'application/x-ndjson' }],
  ['another alphabet', { kind: 'content-type', type: 'application/json; charset=utf-16' }],
  ['JSON that is cut short', { kind: 'malformed' }],
  ['too long a body', { kind: 'huge' }],
  ...[201, 204, 301, 400, 401, 403, 404, 410, 501].map(
    (status) => [`status ${status}`, { kind: 'status', status }] as const,
  ),
]

const BAD_RECORDS: readonly (readonly [name: string, fault: Fault])[] = [
  ['bad records only', { kind: 'all-bad' }],
  ['another home', { kind: 'other-home' }],
]

const TOO_SLOW: readonly (readonly [name: string, fault: Fault])[] = [
  ['no answer', { kind: 'hang' }],
  ['half an answer', { kind: 'stall' }],
  ['a late answer', { kind: 'delay', ms: 60_000 }],
]

describe.each(MAY_PASS)('%s', (_name, fault) => {
  it('is a transient failure', async () => {
    await reference.fail(fault)
    expect(await errorOf(bare().findByZpid(zpid, patient))).toBeInstanceOf(TransientFailure)
  })

  it('goes unnoticed once, because the query is retried', async () => {
    await reference.fail(fault, 1)
    await reference.takeAsked()
    expect(await guarded(5000).findByZpid(zpid, patient)).toMatchObject({ record: { zpid } })
    expect(await reference.takeAsked()).toHaveLength(2)
  })

  it('is a ProviderFailure if it persists', async () => {
    await reference.fail(fault)
    const error = await errorOf(guarded(5000).findByZpid(zpid, patient))
    expect(error).toBeInstanceOf(ProviderFailure)
  })
})

describe.each(UNUSABLE)('%s', (_name, fault) => {
  it('is a ProviderFailure, and not retried', async () => {
    await reference.fail(fault)
    await reference.takeAsked()
    const error = await errorOf(guarded(5000).findByZpid(zpid, patient))
    expect(error).toBeInstanceOf(ProviderFailure)
    expect(error).not.toBeInstanceOf(TransientFailure)
    expect(await reference.takeAsked()).toHaveLength(1)
  })
})

describe.each(BAD_RECORDS)('%s', (_name, fault) => {
  it('is a ProviderFailure', async () => {
    await reference.fail(fault)
    expect(await errorOf(guarded().findByZpid(zpid, patient))).toBeInstanceOf(ProviderFailure)
  })
})

describe.each(TOO_SLOW)('%s', (_name, fault) => {
  it('is a ProviderTimeout when the time is over', async () => {
    await reference.fail(fault)
    expect(await errorOf(guarded().findByZpid(zpid, patient))).toBeInstanceOf(ProviderTimeout)
  })

  it('fails with the reason of the client that disconnected', async () => {
    await reference.fail(fault)
    const principal = new AbortController()
    const query = errorOf(bare().findByZpid(zpid, principal))
    await sleep(50)
    const reason = new Error('left')
    principal.abort(reason)
    expect(await query).toBe(reason)
  })
})

describe.each([...MAY_PASS, ...UNUSABLE, ...BAD_RECORDS, ...TOO_SLOW])('after %s', (_name, fault) => {
  it('service is back within 10 s of the recovery of the provider', async () => {
    const provider = guarded()
    await reference.fail(fault)
    await Promise.all(Array.from({ length: 8 }, () => errorOf(provider.findByZpid(zpid, patient))))
    await reference.recover()
    await untilAnswered(provider)
    // The circuit is closed: not only a probe came through.
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => errorOf(provider.findByZpid(zpid, patient))),
    )
    expect(answers).toEqual(Array(8).fill('an answer'))
  })
})

describe('a provider that cannot be reached', () => {
  it('is a ProviderFailure, and is queried again when it is back', async () => {
    const first = await startReferenceProvider({ records: SAMPLE })
    const port = Number(new URL(first.url).port)
    const provider = makeResilient(createHttpProvider({ url: first.url }), { timeoutMs: TIMEOUT_MS })
    expect(await errorOf(provider.findByZpid(zpid, patient))).toBe('an answer')
    await first.stop()
    for (let n = 0; n < 10; n++) {
      expect(await errorOf(provider.findByZpid(zpid, patient))).toBeInstanceOf(ProviderFailure)
    }
    const second = await startReferenceProvider({ records: SAMPLE, port })
    try {
      await untilAnswered(provider)
    } finally {
      await second.stop()
    }
  })

  it('is a ProviderFailure if its name cannot be resolved', async () => {
    const provider = createHttpProvider({ url: 'http://provider.invalid' })
    expect(await errorOf(provider.findByZpid(zpid, patient))).toBeInstanceOf(TransientFailure)
  })
})

describe('Retry-After', () => {
  it('is respected if there is time, and otherwise ends the query', async () => {
    await reference.fail({ kind: 'status', status: 429, retryAfter: '1' }, 1)
    await reference.takeAsked()
    expect(await errorOf(guarded(10_000).findByZpid(zpid, patient))).toBe('an answer')
    expect(await reference.takeAsked()).toHaveLength(2)

    await reference.fail({ kind: 'status', status: 429, retryAfter: '60' }, 1)
    const error = await errorOf(guarded(10_000).findByZpid(zpid, patient))
    expect(error).toMatchObject({ retryAfterMs: 60_000 })
    expect(await reference.takeAsked()).toHaveLength(1)
  })
})

describe('bad rows', () => {
  it('are dropped from lists, counted, and in no total', async () => {
    const dropped: number[] = []
    const provider = makeResilient(bare(), {
      timeoutMs: 10_000,
      onDropped: (count) => dropped.push(count),
    })
    const whole = await provider.search(SEARCH, { limit: 50 }, patient)
    await reference.fail({ kind: 'bad-rows' })
    const { records, total } = await provider.search(SEARCH, { limit: 50 }, patient)
    expect(records).toEqual(whole.records.filter((_record, at) => at % 2 === 1))
    expect(total).toBe(whole.total! - 25)
    expect(dropped).toEqual([25])
  })
})

describe('the error text of a failing provider', () => {
  it('is kept for the log beside the error, not in its message', async () => {
    await reference.fail({ kind: 'status', status: 500 })
    const error = (await errorOf(bare().findByZpid(zpid, patient))) as Error
    expect(error.message).not.toContain(PROVIDER_WORDS)
    expect((error.cause as Error).message).toContain(PROVIDER_WORDS)
  })

  it('is not kept if it may repeat an address', async () => {
    const address = { number: '1', street: 'SECRET ST', key: '1 SECRET ST' }
    for (const fault of [{ kind: 'status', status: 500 }, { kind: 'html' }, { kind: 'malformed' }] as const) {
      await reference.fail(fault)
      const error = (await errorOf(bare().findByAddress(address, 'FOR_SALE', patient))) as Error
      expect(error).toBeInstanceOf(ProviderFailure)
      expect(error.cause).toBeUndefined()
      expect(error.message).not.toMatch(/SECRET|stack trace/)
    }
  })
})

async function untilAnswered(provider: Provider): Promise<void> {
  const until = Date.now() + RECOVERY_MS
  while ((await errorOf(provider.findByZpid(zpid, patient))) !== 'an answer') {
    if (Date.now() > until) throw new Error(`No answer ${RECOVERY_MS} ms after the recovery`)
    await sleep(50)
  }
}
