// The order of the checks is part of the product. Here every operation meets every refusal and every pair of refusals
// at once, and the earlier of the two must answer. The calls go to the engine itself, without HTTP.

import { randomUUID } from 'node:crypto'
import { costOfRows, type OperationId, operationIds, operations } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { placeHold } from '../../../src/money/credits/holds.ts'
import type { BodyBytes } from '../../../src/requests/engine/sent-body.ts'
import { type ExampleCall, exampleCallPath, minimalCall } from '../../setup/example-calls.ts'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { createTestEngine, type TestEngine } from '../../setup/test-engine.ts'

const testDatabase = withTestDatabase()
const provider = createMemoryProvider()
let engine: TestEngine
/** For calls that go before: the engine under test sees each key for the first time when it is in its final state. */
let earlier: TestEngine
beforeAll(() => {
  // The clock of the rate windows does not move: a key that is over the limit stays over it.
  engine = createTestEngine(testDatabase, { provider, now: () => 0 })
  earlier = createTestEngine(testDatabase, { provider })
})

/** A call as a transport hands it over: the body unread. */
async function send(
  { id, params, query, body }: ExampleCall,
  { key, by = engine }: { key: string; by?: TestEngine },
) {
  const path = exampleCallPath({ id, params, query, ...(body !== undefined && { body }) } as ExampleCall)
  const { response } = await by.call({
    id,
    key,
    params: { ...params },
    query: { ...query } as Record<string, string | string[]>,
    path: path.split('?')[0]!,
    ...(body !== undefined && { body: bytesOf(typeof body === 'string' ? body : JSON.stringify(body)) }),
  })
  return response
}

function bytesOf(text: string): BodyBytes {
  return {
    type: 'application/json',
    encoding: undefined,
    length: Buffer.byteLength(text),
    read: async () => Buffer.from(text),
  }
}

/** In the order in which they are checked. */
const REFUSALS = [
  { name: 'a key with a wrong checksum', status: 401, code: 'invalid_api_key' },
  { name: 'a suspended account', status: 403, code: 'account_suspended' },
  { name: 'no credits', status: 402, code: 'out_of_credits' },
  { name: 'a full rate window', status: 429, code: 'rate_limited' },
  { name: 'an operation that the plan denies', status: 403, code: 'plan_not_allowed' },
  { name: 'wrong input', status: 400, code: undefined },
  { name: 'nothing but credits that jobs hold', status: 402, code: 'out_of_credits' },
] as const
type RefusalName = (typeof REFUSALS)[number]['name']

/** A job may come to cost nothing, but one that wants rows is not accepted when none could be paid. */
const STARTS_JOB: ReadonlySet<OperationId> = new Set(['createPropertyBatch', 'searchWithDetails'])

/** A key of an account to which all of `refusals` apply. Everything is set before the server first sees the key. */
async function keyFor(refusals: ReadonlySet<RefusalName>, id: OperationId): Promise<string> {
  const limited = refusals.has('a full rate window')
  const withoutCredits = refusals.has('no credits')
  // Of no credits at all, none can be held.
  const held = refusals.has('nothing but credits that jobs hold') && !withoutCredits
  const { key, accountId } = await engine.openAccount({
    ratePerMinute: limited ? 1 : 1000,
    credits: withoutCredits ? (limited ? 1 : 0) : 100,
  })
  if (held) {
    const hold = { accountId, jobId: randomUUID(), wanted: 100, least: 1 }
    await testDatabase.database.transaction((tx) => placeHold(tx, hold))
  }
  // The one call that fills the window also spends the one credit, or the last that no job holds.
  if (limited || held) {
    const { headers } = await send(minimalCall('getPropertyFacts'), { key, by: earlier })
    expect(headers['x-credits-charged']).toBe('1')
  }
  await testDatabase.database.query(`update accounts set status = $2, denied_operations = $3 where id = $1`, [
    accountId,
    refusals.has('a suspended account') ? 'suspended' : 'active',
    refusals.has('an operation that the plan denies') ? [id] : [],
  ])
  return refusals.has('a key with a wrong checksum')
    ? key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
    : key
}

/** The call with input that the contract refuses; undefined where an operation has no input that could be wrong. */
function wrongCall(id: OperationId): ExampleCall | undefined {
  const call = minimalCall(id)
  if (operations[id].hasBody) return { ...call, body: '{' }
  if ('zpid' in call.params) return { ...call, params: { zpid: 'abc' } }
  const [name] = operations[id].queryParameters
  // Given twice, any query parameter is wrong.
  return name === undefined ? undefined : { ...call, query: { ...call.query, [name]: ['1', '1'] } }
}

describe.each(operationIds)('%s', (id) => {
  it('returns the earlier of any two refusals', async () => {
    const applicable = REFUSALS.filter(
      ({ name }) =>
        (name !== 'wrong input' || wrongCall(id)) &&
        (name !== 'nothing but credits that jobs hold' || costOfRows(id, 0) > 0 || STARTS_JOB.has(id)),
    )
    const pairs = applicable.flatMap((first, at) => applicable.slice(at).map((second) => ({ first, second })))
    await Promise.all(
      pairs.map(async ({ first, second }) => {
        const refusals = new Set([first.name, second.name])
        const key = await keyFor(refusals, id)
        const call = refusals.has('wrong input') ? wrongCall(id)! : minimalCall(id)
        const answer = await send(call, { key })
        const place = `${first.name} and ${second.name}`
        expect([place, answer.status]).toEqual([place, first.status])
        if (first.code) expect([place, answer.code]).toEqual([place, first.code])
        expect(answer.headers['x-credits-charged'] ?? '0').toBe('0')
      }),
    )
  })
})

describe('an account without credits', () => {
  it('gets the same refusal from consecutive operations on a key with 20 calls a minute, and none of them counts', async () => {
    const { key, accountId } = await engine.openAccount({ plan: 'free', credits: 0, ratePerMinute: 20 })
    for (const id of operationIds) {
      const answer = await send(minimalCall(id), { key })
      expect([id, answer.status, answer.code]).toEqual([id, 402, 'out_of_credits'])
      expect(answer.headers.ratelimit).toBe('"default";r=20;t=0')
    }
    const { rows } = await testDatabase.database.query('select 1 from usage_rows where account_id = $1', [
      accountId,
    ])
    expect(rows).toHaveLength(0)
  })
})
