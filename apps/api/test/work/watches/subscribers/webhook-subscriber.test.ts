// A webhook as the subscriber of a watch, over real HTTP.

import { beforeAll, expect, it } from 'vitest'
import { importListings } from '../../../../src/data/ingest/import-listings.ts'
import { rowsOf } from '../../../data/sources/dataset/rows.ts'
import { ENV } from '../../../setup/deliveries.ts'
import { ok, type ReceivedEvent, startReceiver, until } from '../../../setup/receiver.ts'
import { withTestDatabase } from '../../../setup/test-database.ts'
import { withTestServer } from '../../../setup/test-server.ts'
import { home, homes } from '../watch-tools.ts'
import { FILTERS } from './subscriber-tools.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { env: ENV })
const importHomes = (records: readonly object[]) =>
  importListings(testDatabase.database, rowsOf(records as never[]), { source: 'mls' })

beforeAll(() => importHomes(homes(1, 11)))

it('gets the events of its watch alone; other watches go to all webhooks, and no event has a subscriber', async () => {
  const { key } = await server.openAccount()
  const received = new Map<string, ReceivedEvent[]>([
    ['one', []],
    ['two', []],
  ])
  const ids: string[] = []
  for (const [name, events] of received) {
    const receiver = await startReceiver((response, event) => {
      events.push(event)
      return ok(response)
    })
    const body = { url: `${receiver.url}/${name}`, events: ['watch.changes', 'watch.ready'] }
    ids.push((await server.post('/v1/webhooks', body, { key })).json.data.id)
  }
  const own = { name: 'Own', filters: FILTERS, subscriber: { webhook_id: ids[0] } }
  const created = await server.post('/v1/watches', own, { key })
  expect(created.json.data.subscriber).toEqual({
    email: null,
    frequency: null,
    webhook_id: ids[0],
    status: 'active',
  })
  const watch: string = created.json.data.id
  const shared: string = (await server.post('/v1/watches', { name: 'All', filters: FILTERS }, { key })).json
    .data.id
  await importHomes([home(1, { price: 400_000 })])
  const watchesOf = (name: string) =>
    received
      .get(name)!
      .map(({ json }) => `${json.type} ${json.data.watch.id}`)
      .sort()
  const running = [server.app.watches.start(), server.app.webhooks.start()]
  try {
    await until(() => watchesOf('one').length >= 4 && watchesOf('two').length >= 2, 'the deliveries')
  } finally {
    await Promise.all(running.map((one) => one.stop()))
  }
  const both = (id: string) => [`watch.changes ${id}`, `watch.ready ${id}`]
  expect(watchesOf('one')).toEqual([...both(watch), ...both(shared)].sort())
  expect(watchesOf('two')).toEqual(both(shared).sort())
  for (const { json } of [...received.values()].flat())
    expect(json.data.watch).not.toHaveProperty('subscriber')

  expect((await server.send('DELETE', `/v1/webhooks/${ids[0]}`, { key })).status).toBe(204)
  const { data } = (await server.get(`/v1/watches/${watch}`, { key })).json
  expect(data.subscriber.status).toBe('revoked')
  const refused = await server.post('/v1/watches', own, { key })
  expect([refused.status, refused.code]).toEqual([400, 'invalid_parameter'])
})
