// For each place where a call accepts a limit, and for any limit, the call obeys or refuses it, and POST /v1/estimate and a dry
// run agree with the call. The cases are generated from the contract, so that new operations are covered.

import { describe, expect, it } from 'vitest'
import { type ExampleCall, sendCall } from '../../setup/example-calls.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { HASTE } from '../../work/jobs/job-calls.ts'
import { callOf, LIMITED, provider } from './limited-calls.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { parts: { provider, providerRetry: HASTE } })

interface LimitedCall {
  readonly call: ExampleCall
  /** As the query of an estimate has it: a text, or a number of JSON. */
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

const TEXTS = [
  '0',
  '00',
  '0.0',
  '-0',
  '1',
  '',
  '-1',
  '+0',
  '0x0',
  '0e0',
  ' 0',
  'null',
  'false',
  '9007199254740993',
]
const BODY_VALUES = [0, -0, 1, null, '0', '', false, [], [0], 0.5, -1, 2 ** 53]

/** A call with its limit in each place that takes one. */
const PLACES: Readonly<
  Record<string, (call: ExampleCall) => readonly (readonly [value: unknown, LimitedCall])[]>
> = {
  header: (call) =>
    TEXTS.filter((text) => text.trim() === text).map((text) => [
      text,
      { call, headers: { 'x-max-credits': text } },
    ]),
  query: (call) =>
    TEXTS.map((text) => [text, { call: { ...call, query: { ...call.query, max_credits: text } } }]),
  'numbers in the query of the estimate': (call) =>
    [0, 1, -1, 0.5].map((value) => [
      value,
      {
        call: { ...call, query: { ...call.query, max_credits: String(value) } },
        query: { ...call.query, max_credits: value },
      },
    ]),
  body: (call) =>
    call.body === undefined
      ? []
      : BODY_VALUES.map((value) => [
          value,
          { call: { ...call, body: { ...(call.body as object), maxCredits: value } } },
        ]),
}

describe.each(LIMITED)('%s', (id) => {
  it.each(Object.keys(PLACES))('obeys or refuses its limit, as its estimates say: %s', async (place) => {
    const { key } = await server.openAccount({ credits: 5_000 })
    for (const [value, { call, query = call.query, headers = {} }] of PLACES[place]!(callOf(id))) {
      const shown = JSON.stringify(value)
      const input = { path: call.params, query, ...(call.body !== undefined && { body: call.body }) }
      const estimated = await server.post('/v1/estimate', { operation: id, input }, { key, headers })
      const dryRun = await sendCall(server, call, { key, headers: { ...headers, prefer: 'dry-run' } })
      const made = await sendCall(server, call, { key, headers })
      if (made.status === 400) {
        expect([shown, estimated.status, estimated.code]).toEqual([shown, 400, made.code])
        expect([shown, dryRun.status, dryRun.code, made.charged]).toEqual([shown, 400, made.code, 0])
        continue
      }
      const { data } = estimated.json
      expect([shown, data.error_code, data.would_be_refused]).toEqual([
        shown,
        made.status === 402 ? 'max_credits_exceeded' : null,
        made.status === 402,
      ])
      // The available credits changed only if the call was charged.
      expect([shown, dryRun.json.data]).toEqual([shown, data])
      if (made.status === 402)
        expect([shown, made.code, made.charged]).toEqual([shown, 'max_credits_exceeded', 0])
      const limit = value === null || (Array.isArray(value) && value.length === 0) ? undefined : Number(value)
      if (limit === undefined) continue
      // A value that is no limit may not pass for one.
      expect([shown, Number.isSafeInteger(limit) && limit >= 0]).toEqual([shown, true])
      expect(made.charged).toBeLessThanOrEqual(limit)
      if (limit === 0) expect([shown, made.status]).toEqual([shown, 402])
    }
  })
})
