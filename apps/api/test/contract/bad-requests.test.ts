// Runs the contract's table of invalid requests, which the mock also runs: both return the same refusals. Each refusal is free, has one
// usage row if the call was admitted, and reaches no provider.

import { operationIds } from '@lotline/contract'
import {
  badRequests,
  concernsParameter,
  isCatalogueCode,
  toRequestInit,
} from '@lotline/contract/bad-requests'
import { DEMO_KEY, type Mock, startMock } from '@lotline/mock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenedAccount } from '../../src/money/accounts/open-account.ts'
import { createMemoryProvider } from '../setup/memory-provider.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import { balanceOf, usageOf } from '../setup/usage.ts'

const testDatabase = withTestDatabase()
const provider = createMemoryProvider()
const server = withTestServer(testDatabase, { parts: { provider } })

let account: OpenedAccount
let mock: Mock
beforeAll(async () => {
  mock = await startMock()
  account = await server.openAccount({ credits: 1000 })
})

afterAll(() => mock?.close())

/** Refused before the call is admitted. */
const BEFORE_ADMISSION = [401, 414, 431]

const groups = [...operationIds, undefined].map((operation) => ({
  operation: operation ?? 'no operation',
  rows: badRequests.filter((row) => row.operation === operation),
}))

describe.each(groups.filter(({ rows }) => rows.length > 0))('$operation', ({ rows }) => {
  it.each(rows)('$name', async (row) => {
    const askedBefore = provider.asked
    const balance = await balanceOf(testDatabase.database, account.accountId)
    const { method, headers, body } = toRequestInit(row, account.key)
    const answer = await server.send(method!, row.path, {
      headers: headers as Record<string, string>,
      ...(body !== undefined && { body }),
    })
    expect([answer.status, answer.code], answer.text).toEqual([row.expect.status, row.expect.code])
    expect(isCatalogueCode(answer.json.error), answer.text).toBe(true)
    if (answer.status === 400 && concernsParameter(answer.json.error)) {
      // A name, or a path of names joined by dots.
      expect(answer.json.error.details?.parameter, answer.text).toMatch(/^[\w-]+(\.[\w-]+)*$/)
    }
    if (row.expect.allow) {
      const allowed = answer.headers.get('allow')?.split(', ')
      expect(allowed?.sort()).toEqual([...row.expect.allow].sort())
    }

    // The mock returns the same text.
    const mocked = await fetch(mock.origin + row.path, toRequestInit(row, DEMO_KEY))
    expect(((await mocked.json()) as { error: object }).error).toEqual({
      ...answer.json.error,
      request_id: mocked.headers.get('x-request-id'),
    })

    const usage = await usageOf(testDatabase.database, answer)
    if (BEFORE_ADMISSION.includes(answer.status) || !row.path.startsWith('/v1')) {
      expect(usage).toEqual([])
    } else {
      expect([answer.charged, answer.remaining]).toEqual([0, balance])
      expect(usage).toEqual([
        { operation: row.operation ?? null, status_code: answer.status, units: 0, credits_charged: 0 },
      ])
    }
    expect(provider.asked).toBe(askedBefore)
  })
})

it('all refused requests were free', async () => {
  expect(await balanceOf(testDatabase.database, account.accountId)).toBe(1000)
})
