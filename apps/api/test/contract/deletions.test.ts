// A DELETE can be repeated: for every resource of the contract that can be deleted. A client whose response was lost sends it again.

import { operationIds, operations } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)

/** The collections where resources are created, with a body that creates one. */
const MADE: Readonly<Record<string, object>> = {
  '/v1/watches': { name: 'Homes', zpids: ['48749425'] },
  '/v1/webhooks': { url: 'https://hooks.example.com/lotline' },
  '/v1/keys': { name: 'One' },
}

const deletions = operationIds.filter((id) => operations[id].method === 'DELETE')

describe.each(deletions)('%s', (id) => {
  const collection = operations[id].path.replace('/{id}', '')

  async function make() {
    expect(MADE[collection], collection).toBeDefined()
    const account = await server.openAccount()
    const made = await server.post(collection, MADE[collection], { key: account.key })
    expect(made.status, made.text).toBe(201)
    const path = `${collection}/${made.json.data.id}`
    const remove = (key = account.key) => server.send('DELETE', path, { key })
    return { key: account.key, remove }
  }

  it('returns 204 each time, for free', async () => {
    const { remove } = await make()
    for (const time of [1, 2, 3]) {
      const { status, text, charged } = await remove()
      expect([status, text, charged], `the ${time}. time`).toEqual([204, '', 0])
    }
  })

  it('returns 204 to several concurrent calls', async () => {
    const { key, remove } = await make()
    // Calls of one key wait for each other.
    const keys = await Promise.all(
      [1, 2, 3].map(async () => (await server.post('/v1/keys', { name: 'Other' }, { key })).json.data.key),
    )
    const answers = await Promise.all(keys.map(remove))
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204])
  })

  it('returns 404 for a resource that another account has deleted', async () => {
    const { remove } = await make()
    const other = await server.openAccount()
    expect((await remove(other.key)).status).toBe(404)
    expect((await remove()).status).toBe(204)
    expect((await remove(other.key)).status).toBe(404)
  })
})
