// Retractions over the API: the log of a watch, its webhook, and the usage of the account.

import { beforeAll, expect, it } from 'vitest'
import { ENV } from '../../setup/deliveries.ts'
import { startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { importLogged, undo } from './undo-tools.ts'
import { homes } from './watch-tools.ts'

const test = withTestDatabase()
const server = withTestServer(test, { env: ENV })
const FILTERS = { bbox: { west: -123, south: 47, east: -122, north: 48 } }

beforeAll(async () => {
  await importLogged(test.database, homes(1, 11))
})

/** Evaluates and delivers, as a process of the service does, until it is so. */
async function run(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const running = [server.app.watches.start(), server.app.webhooks.start()]
  try {
    await until(isSo, what)
  } finally {
    await Promise.all(running.map((one) => one.stop()))
  }
}

it('an undone import is retracted in the log and by webhook, and its credits are refunded in the usage summary', async () => {
  const { key } = await server.openAccount({ credits: 1_000 })
  const receiver = await startReceiver()
  await server.post('/v1/webhooks', { url: `${receiver.url}/hooks`, events: ['watch.changes'] }, { key })
  const body = { name: 'Homes', filters: FILTERS, events: ['listing.price_changed'] }
  const { data: watch } = (await server.post('/v1/watches', body, { key })).json
  const eventsOf = async () => (await server.get(`/v1/watches/${watch.id}/events`, { key })).json.data
  const bad = await importLogged(test.database, homes(1, 4, { price: 1 }))
  await run(async () => (await eventsOf()).length === 3, 'the events of the import')
  const wrong = await eventsOf()
  await undo(test.database, bad)
  const events = await eventsOf()
  expect(events.slice(0, 3)).toEqual(wrong)
  const retractions = events.slice(3)
  expect(retractions).toHaveLength(3)
  for (const [at, retraction] of retractions.entries())
    expect(retraction).toMatchObject({
      type: 'listing.retracted',
      retracts: wrong[at].id,
      zpid: wrong[at].zpid,
      changed: ['price'],
      previous: { price: 1 },
      current: { price: 500_000 },
      reason: null,
      change: null,
      listing: null,
    })
  const delivered = () =>
    receiver.events
      .flatMap(({ json }) => (json.type === 'watch.changes' ? json.data.events : []))
      .filter((event: { type: string }) => event.type === 'listing.retracted')
  await run(() => delivered().length === 3, 'the webhook event')
  expect(delivered()).toEqual(retractions)

  const usage = (await server.get('/v1/usage/summary?by=operation', { key })).json
  const ofWatches = usage.data.find(({ value }: { value: string }) => value === 'createWatch')
  expect(ofWatches).toMatchObject({ credits_charged: 3, credits_refunded: 3 })
  expect(usage.meta.total).toMatchObject({ credits_charged: 3, credits_refunded: 3 })
  const byDay = (await server.get('/v1/usage/summary?by=day', { key })).json
  expect(byDay.meta.total.credits_refunded).toBe(3)
  expect((await server.get('/v1/me', { key })).json.data.credits.balance).toBe(1_000)
  const { json: rows } = await server.get('/v1/usage', { key })
  for (const row of rows.data) expect(row.credits_charged).toBeGreaterThanOrEqual(0)
})
