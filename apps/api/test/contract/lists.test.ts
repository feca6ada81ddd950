// Lists have one grammar: each is read to its end by cursor, without a row twice, and refuses cursors that are not its own.

import { describe, expect, it } from 'vitest'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const URL = 'https://hooks.example.com/lotline'

/** The lists that can be filled by calls alone, with the bodies that fill them. */
const LISTS: Readonly<Record<string, readonly object[]>> = {
  '/v1/watches': ['1', '2', '3'].map((zpid) => ({ name: zpid, zpids: [zpid] })),
  '/v1/webhooks': [1, 2, 3].map(() => ({ url: URL })),
  '/v1/keys': [1, 2].map((n) => ({ name: `Key ${n}` })),
  '/v1/usage': [],
  '/v1/usage/summary?by=operation': [],
}

async function openFilled(list: string) {
  const account = await server.openAccount({ credits: 50 })
  for (const body of LISTS[list]!) {
    const made = await server.post(list, body, account)
    expect(made.status, made.text).toBe(201)
  }
  // Rows of usage, of several operations.
  for (const path of ['/v1/me', '/v1/jobs', '/v1/keys']) await server.get(path, account)
  return account
}

const page = (list: string, query: string) => `${list}${list.includes('?') ? '&' : '?'}${query}`

describe.each(Object.keys(LISTS))('the list %s', (list) => {
  it('is read to its end by cursor, each row once, while new rows are added at its start', async () => {
    const account = await openFilled(list)
    const all = (await server.get(list, account)).json
    expect(all.meta).toMatchObject({ count: all.data.length, has_more: false })
    expect(all.meta.limit).toBeGreaterThanOrEqual(100)
    expect(all.meta.next_cursor).toBe(undefined)
    const idOf = (row: { id?: unknown; value?: unknown }) => row.id ?? row.value
    const seen: unknown[] = []
    let cursor: string | undefined
    for (let pages = 0; pages < 50; pages += 1) {
      const at = cursor === undefined ? '' : `&cursor=${cursor}`
      const { json } = await server.get(page(list, `limit=1${at}`), account)
      expect(json.meta).toMatchObject({ count: 1, limit: 1, has_more: json.meta.next_cursor !== undefined })
      seen.push(...json.data.map(idOf))
      cursor = json.meta.next_cursor
      if (cursor === undefined) break
      if (pages === 0 && LISTS[list]!.length > 0) await server.post(list, LISTS[list]![0]!, account)
    }
    expect(cursor).toBe(undefined)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining(LISTS[list]!.length > 0 ? all.data.map(idOf) : []))
  })

  it('refuses a cursor of another account or list, and a modified one', async () => {
    const [one, other] = [await openFilled(list), await openFilled(list)]
    const cursor: string = (await server.get(page(list, 'limit=1'), one)).json.meta.next_cursor
    expect(cursor).toBeDefined()
    // One cursor in 1,024 ends with the letters that replace its last two.
    const modified = `${cursor.slice(0, -2)}${cursor.endsWith('AA') ? 'BA' : 'AA'}`
    const elsewhere = list === '/v1/keys' ? '/v1/watches' : '/v1/keys'
    for (const [path, account] of [
      [page(list, `cursor=${cursor}`), other],
      [page(elsewhere, `cursor=${cursor}`), one],
      [page(list, `cursor=${modified}`), one],
      [page(list, 'cursor=x.y'), one],
    ] as const) {
      const refused = await server.get(path, account)
      expect([refused.status, refused.code], path).toEqual([400, 'invalid_cursor'])
    }
  })
})

describe('the list of watches', () => {
  it('has the number of homes instead of the homes', async () => {
    const account = await server.openAccount({ plan: 'annual', credits: 50 })
    const zpids = Array.from({ length: 1_000 }, (_, n) => `${n + 1}`)
    const made = await server.post('/v1/watches', { name: 'Homes', zpids }, account)
    const listed = await server.get('/v1/watches', account)
    expect(listed.json.data).toMatchObject([{ zpid_count: 1_000 }])
    expect(listed.text.length).toBeLessThan(2_000)
    const single = await server.get(`/v1/watches/${made.json.data.id}`, account)
    expect(single.json.data).toMatchObject({ zpids, zpid_count: 1_000 })
  })
})
