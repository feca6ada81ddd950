import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { homes } from '../../work/watches/watch-tools.ts'
import { jsonOf, lotlineWith } from './run-lotline.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const lotline = (...args: readonly string[]) => lotlineWith({ DATABASE_URL: testDatabase.url })(...args)

const importRecords = (records: readonly object[]) =>
  importListings(testDatabase.database, rowsOf(records as never[]), { source: 'mls' })

beforeAll(() => importRecords(homes(1, 4)))

const AREA = { bbox: { west: -123, south: 47, east: -122, north: 48 } }

async function openWatch(body: object) {
  const account = await server.openAccount({ credits: 100 })
  const created = await server.post('/v1/watches', body, { key: account.key })
  expect(created.status).toBe(201)
  return { ...account, watch: created.json.data }
}

/** The command does not show whom a watch writes to: the address belongs to a stranger. */
function withoutSubscriber<T extends { readonly subscriber?: unknown }>({ subscriber: _, ...watch }: T) {
  return watch
}

describe('lotline watches', () => {
  it('list and show print the watches of all accounts or of one, latest first, as the API shows them', async () => {
    const one = await openWatch({ name: 'Seattle', filters: AREA, every: '1h' })
    const other = await openWatch({ name: 'Two\u001B[2J homes', zpids: ['1', '2'], paused: true })
    const unknown = crypto.randomUUID()
    const [all, own, printed, missing, shown, shownText] = await Promise.all([
      jsonOf(lotline, 'watches', 'list'),
      jsonOf(lotline, 'watches', 'list', one.accountId, '--status', 'active'),
      lotline('watches', 'list', '--limit', '2'),
      lotline('watches', 'list', unknown),
      jsonOf(lotline, 'watches', 'show', one.watch.id),
      lotline('watches', 'show', one.watch.id),
    ])
    expect(all.map(({ id }: { id: string }) => id)).toEqual([other.watch.id, one.watch.id])
    expect(all[1]).toMatchObject({
      ...withoutSubscriber(one.watch),
      account_id: one.accountId,
      count: 3,
      scanned_at: null,
    })
    expect(own).toEqual([all[1]])
    expect(printed.stdout).toMatch(/^WATCH +ACCOUNT +STATUS +REASON +EVERY +HOMES +EVENTS +CREATED +NAME\n/)
    expect(printed.stdout).toMatch(
      new RegExp(`^${one.watch.id} +${one.accountId} +active +– +1h +3 +0 +\\S+ \\S+ +Seattle$`, 'm'),
    )
    // A name cannot clear the operator's screen.
    expect(printed.stdout).toMatch(/ paused +requested +change +2 +0 +\S+ \S+ +Two \[2J homes$/m)
    expect(printed.stdout).toContain('There may be more: see --limit.')
    expect([missing.code, missing.stderr]).toEqual([1, `lotline: There is no account ${unknown}.\n`])

    expect(shown).toEqual(all[1])
    expect(Date.parse(shown.due_at) - Date.parse(shown.created_at)).toBeGreaterThan(50 * 60_000)
    expect(shownText.stdout).toMatch(new RegExp(`^account +${one.accountId}$`, 'm'))
    expect(shownText.stdout).toContain(JSON.stringify(one.watch.filters))
    expect(shownText.stdout).toMatch(/^status +active$/m)
    expect(shownText.stdout).toMatch(/^homes +3$/m)
  })

  it('pause keeps the state; the account sees the reason, pays nothing, and gets the net change when it resumes', async () => {
    const { key, accountId, watch } = await openWatch({ name: 'Seattle', filters: AREA })
    const webhook = { url: 'https://example.com/hooks', events: ['watch.paused'] }
    expect((await server.post('/v1/webhooks', webhook, { key })).status).toBe(201)
    const paused = await jsonOf(lotline, 'watches', 'pause', watch.id)
    expect(paused).toMatchObject({
      ...withoutSubscriber(watch),
      status: 'paused',
      paused_reason: 'requested',
      due_at: null,
    })
    const url = `/v1/watches/${watch.id}`
    expect((await server.get(url, { key })).json.data).toEqual({
      ...watch,
      status: 'paused',
      paused_reason: 'requested',
    })
    const { database } = testDatabase
    const notices =
      'select count(*)::integer as count from webhook_events where account_id = $1 and type = $2'
    expect((await database.query(notices, [accountId, 'watch.paused'])).rows).toEqual([{ count: 0 }])

    await importRecords(homes(1, 4, { price: 450_000 }))
    const running = server.app.watches.start()
    const events = async () => (await server.get(`${url}/events`, { key })).json.data
    try {
      // Another watch of the same search reports the import: this one was evaluated, too, if it was not paused.
      const { key: other, watch: awake } = await openWatch({ name: 'Awake', filters: AREA })
      await importRecords(homes(1, 4, { price: 400_000 }))
      const seen = async () =>
        (await server.get(`/v1/watches/${awake.id}/events`, { key: other })).json.data.length
      await expect.poll(seen, { timeout: 20_000 }).toBe(3)
      expect(await events()).toEqual([])
      const again = await lotline('watches', 'pause', watch.id)
      expect([again.code, again.stdout]).toEqual([0, `The watch ${watch.id} is paused.\n`])
      expect((await server.send('PATCH', url, { key, body: { paused: false } })).status).toBe(200)
      await expect.poll(async () => (await events()).length, { timeout: 20_000 }).toBe(3)
    } finally {
      await running.stop()
    }
    expect((await events())[0]).toMatchObject({ previous: { price: 500_000 }, current: { price: 400_000 } })
    expect((await server.get('/v1/me', { key })).remaining).toBe(97)
  })

  it('every verb reports an unknown watch', async () => {
    const id = crypto.randomUUID()
    const ran = await lotline('watches', 'pause', id)
    expect([ran.code, ran.stderr]).toEqual([1, `lotline: There is no watch ${id}.\n`])
  })
})
