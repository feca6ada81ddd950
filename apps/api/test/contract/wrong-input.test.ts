// Wrong input gets the code of the table, for nothing: the call is one usage row of 0 credits, and nobody is asked.

import { beforeAll, describe, expect, it } from 'vitest'
import type { OpenedAccount } from '../../src/accounts/open-account.ts'
import { sendCall } from '../setup/example-calls.ts'
import { createMemoryProvider } from '../setup/memory-provider.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import { balanceOf, usageOf } from '../setup/usage.ts'
import { WRONG_INPUTS } from './wrong-input-table.ts'

const testDatabase = withTestDatabase()
const provider = createMemoryProvider()
const server = withTestServer(testDatabase, { parts: { provider } })

let account: OpenedAccount
beforeAll(async () => {
  account = await server.openAccount({ credits: 1000 })
})

describe.each(WRONG_INPUTS)('$wrong: $code', ({ code, calls }) => {
  it.each(calls)('$name', async ({ call }) => {
    const askedBefore = provider.asked
    const answer = await sendCall(server, call, { key: account.key })
    expect([answer.status, answer.code], answer.text).toEqual([400, code])
    expect(answer.json.error.message).toMatch(/^[A-Za-z].*[.]$/)
    expect(answer.charged).toBe(0)
    expect(await balanceOf(testDatabase.database, account.accountId)).toBe(answer.remaining)
    expect(await usageOf(testDatabase.database, answer)).toEqual([
      { operation: call.id, status_code: answer.status, units: 0, credits_charged: 0 },
    ])
    expect(provider.asked).toBe(askedBefore)
  })
})

it('all of it was free', async () => {
  expect(await balanceOf(testDatabase.database, account.accountId)).toBe(1000)
})
