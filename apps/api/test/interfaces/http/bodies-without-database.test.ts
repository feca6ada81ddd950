// A body that cannot be taken while the usage row of its refusal cannot be written: even then the answer is ours.

import { expect, it } from 'vitest'
import { DatabaseUnavailable } from '../../../src/infrastructure/database/database.ts'
import { createBreakableDatabase } from '../../setup/breakable-database.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

const SECRET = 'could not extend file "base/13508/16525"'

const testDatabase = withTestDatabase()
const database = createBreakableDatabase(() => testDatabase.database)
const server = withTestServer({ database })

it.each([
  ['no JSON', 'application/json', '{'],
  ['of another type', 'text/plain', 'x'],
  ['too large', 'application/json', ' '.repeat(1024 * 1024 + 1)],
])("a body that is %s gets 503 in the envelope, without the database's error text", async (_, type, body) => {
  const { key } = await server.openAccount()
  await fetch(`${server.url}/v1/me`, { headers: { authorization: `Bearer ${key}` } })
  database.fault = (text) => (/settle_calls/.test(text) ? new DatabaseUnavailable(SECRET) : undefined)
  try {
    const answer = await fetch(`${server.url}/v1/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
      body,
    })
    const text = await answer.text()
    expect([answer.status, JSON.parse(text).error?.code]).toEqual([503, 'service_unavailable'])
    expect(text).not.toContain(SECRET)
  } finally {
    database.fault = undefined
  }
})
