import { describe, expect, it } from 'vitest'
import type { Database } from '../../../src/infrastructure/database/database.ts'
import { createApiKey } from '../../../src/money/accounts/keys.ts'
import { createPrincipals, hashKey, type Principal } from '../../../src/money/accounts/principals.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { openWith } from '../credits/money.ts'

const testDatabase = withTestDatabase()

function countStatements(database: Database) {
  const counted = {
    ...database,
    statements: 0,
    query: ((...args: Parameters<Database['query']>) => {
      counted.statements++
      return database.query(...args)
    }) as Database['query'],
  }
  return counted
}

describe('the principals of keys', () => {
  it('that arrive together are read in one query, and not again while they are cached', async () => {
    const database = countStatements(testDatabase.database)
    const accounts = await Promise.all(
      Array.from({ length: 30 }, (_, at) => openWith(testDatabase.database, at)),
    )
    const principals = createPrincipals(database)
    const unknown = createApiKey()
    const findAll = () =>
      Promise.all([
        ...accounts.map(({ key }) => principals.find(hashKey(key))),
        principals.find(hashKey(unknown)),
        principals.find(hashKey(accounts[0]!.key)),
      ])
    const found = await findAll()
    expect(database.statements).toBe(1)
    const expected = [...accounts, undefined, accounts[0]].map((account) => account?.accountId)
    expect(found.map((principal) => principal?.accountId)).toEqual(expected)
    expect(found.slice(0, 30).map((principal) => principal?.credits.balance)).toEqual(
      accounts.map((_, at) => at),
    )
    expect(await findAll()).toEqual(found)
    expect(database.statements).toBe(1)
  })

  it('of probably invalid keys are read in one query, even from different turns of the event loop', async () => {
    const database = countStatements(testDatabase.database)
    const principals = createPrincipals(database)
    const [works, revoked, replaced] = [
      await openWith(testDatabase.database, 1),
      await openWith(testDatabase.database, 1),
      await openWith(testDatabase.database, 1),
    ]
    const change = (accountId: string, text: string) =>
      testDatabase.database.query(`update api_keys set ${text} where account_id = $1`, [accountId])
    await change(revoked.accountId, 'revoked_at = now()')
    await change(replaced.accountId, 'hash = sha256(id::text::bytea)')
    const finding: Promise<Principal | undefined>[] = []
    for (const { key } of [works, revoked, replaced]) {
      finding.push(principals.findGuess(hashKey(key)))
      await new Promise((resolve) => setImmediate(resolve))
    }
    const found = await Promise.all(finding)
    expect(database.statements).toBe(1)
    expect(found.map((principal) => principal?.revoked)).toEqual([false, true, undefined])
  })

  it('can be read again after a failure of the database', async () => {
    const { database } = testDatabase
    const { key, accountId } = await openWith(database, 1)
    let isAway = true
    const query = ((...args: Parameters<Database['query']>) =>
      isAway ? Promise.reject(new Error('away')) : database.query(...args)) as Database['query']
    const principals = createPrincipals({ ...database, query })
    await expect(principals.find(hashKey(key))).rejects.toThrow('away')
    isAway = false
    expect((await principals.find(hashKey(key)))?.accountId).toBe(accountId)
  })
})
