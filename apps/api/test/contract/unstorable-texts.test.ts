// Texts that PostgreSQL cannot store, in every text that the contract lets a client send: in each text of each example of a
// body, in the names of its objects, and in each parameter of a query. Each is refused for nothing, with its place, and the
// mock says the same.

import { operationIds, operations } from '@lotline/contract'
import { bodyExamples, listParameters } from '@lotline/contract/nodes'
import { DEMO_KEY, type Mock, startMock } from '@lotline/mock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenedAccount } from '../../src/money/accounts/open-account.ts'
import { type ExampleCall, exampleCallPath, minimalCall, sendCall } from '../setup/example-calls.ts'
import { createMemoryProvider } from '../setup/memory-provider.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import { balanceOf } from '../setup/usage.ts'

const testDatabase = withTestDatabase()
const provider = createMemoryProvider()
const server = withTestServer(testDatabase, { parts: { provider } })

let account: OpenedAccount
let mock: Mock
beforeAll(async () => {
  mock = await startMock()
  account = await server.openAccount({ credits: 1_000, ratePerMinute: 100_000 })
})
afterAll(() => mock?.close())

const UNSTORABLE = ['\0', '\ud83c']

describe.each(operationIds.filter((id) => operations[id].hasBody))('a body of %s', (id) => {
  it('with U+0000 or half a surrogate pair in any text or name is refused, and is free', async () => {
    for (const [example, body] of Object.entries(bodyExamples(id))) {
      for (const spoil of spoiled(body)) {
        for (const character of UNSTORABLE) {
          const call = { ...minimalCall(id), body: spoil(character) }
          await expectRefused(call, `${example} ${JSON.stringify(call.body)}`)
        }
      }
    }
  })
})

describe.each(operationIds.filter((id) => operations[id].queryParameters.length > 0))(
  'a query of %s',
  (id) => {
    it('with U+0000 in any of its parameters is refused, and is free', async () => {
      const plain = minimalCall(id)
      for (const { name, in: place } of listParameters(id)) {
        if (place !== 'query') continue
        for (const value of ['\0', `${plain.query[name] ?? 'a'}\0b`])
          await expectRefused({ ...plain, query: { ...plain.query, [name]: value } }, `${name}=${value}`)
      }
    })
  },
)

describe('a path', () => {
  it.each(operationIds.filter((id) => operations[id].path.includes('{')))(
    'of %s with U+0000 is not found',
    async (id) => {
      const { params, ...call } = minimalCall(id)
      for (const name of Object.keys(params)) {
        const answer = await sendCall(
          server,
          { ...call, params: { ...params, [name]: `${params[name]}\0` } },
          { key: account.key },
        )
        expect([400, 404], answer.text).toContain(answer.status)
      }
    },
  )
})

async function expectRefused(call: ExampleCall, what: string): Promise<void> {
  const balance = await balanceOf(testDatabase.database, account.accountId)
  const asked = provider.asked
  const answer = await sendCall(server, call, { key: account.key })
  expect(answer.status, `${what}: ${answer.text}`).toBe(400)
  const { code, details } = answer.json.error
  expect(typeof details.parameter, `${what}: ${answer.text}`).toBe('string')
  expect([answer.charged, answer.remaining], what).toEqual([0, balance])
  expect(provider.asked, what).toBe(asked)

  const mocked = await fetch(mock.origin + exampleCallPath(call), {
    method: operations[call.id].method,
    headers: {
      authorization: `Bearer ${DEMO_KEY}`,
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
  })
  const { error } = (await mocked.json()) as { error: { code: string; details: unknown } }
  expect([mocked.status, error.code, error.details], what).toEqual([400, code, details])
}

/** The value with a character in one of its texts or names, for each of them. */
function spoiled(value: unknown): ((character: string) => unknown)[] {
  if (typeof value === 'string') return [(character) => `${value.slice(0, 2)}${character}${value.slice(2)}`]
  if (Array.isArray(value)) {
    return value.flatMap((inner, at) => spoiled(inner).map((spoil) => (one) => value.with(at, spoil(one))))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    (character: string) => ({ ...value, [`${name}${character}`]: 1 }),
    ...spoiled(inner).map((spoil) => (character: string) => ({ ...value, [name]: spoil(character) })),
  ])
}
