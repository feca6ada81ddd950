// GET /v1/properties/by-address and batches: required parts of an address, and contradictions in it.

import { expect, it } from 'vitest'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { runBatch, withWorker } from '../../work/jobs/job-calls.ts'
import { createListProvider } from '../../work/jobs/list-provider.ts'

const provider = createListProvider([
  {
    zpid: '1',
    homeStatus: 'FOR_SALE',
    address: { streetAddress: '2114 Bigelow Ave N', city: 'Seattle', state: 'WA', zipcode: '98109' },
  },
])
const server = withTestServer(withTestDatabase(), { parts: { provider } })
withWorker(server)

const lookUp = (address: string, key: string) =>
  server.get(`/v1/properties/by-address?${new URLSearchParams({ address })}`, { key })

it.each([
  '2114 Bigelow Ave N, 98109',
  '2114 Bigelow Ave N, Seattle',
  '2114 Bigelow Ave N, Seattle, WA 98109',
])('getPropertyByAddress finds a home by its street and a city or ZIP code: %s', async (address) => {
  const { key } = await server.openAccount()
  expect(await lookUp(address, key)).toMatchObject({ status: 200, charged: 3 })
})

it.each(['2114 Bigelow Ave N', '2114 Bigelow Ave N, WA', '2114 Bigelow Ave N, Apt 4'])(
  'getPropertyByAddress refuses an address without city and ZIP code, says what is missing and sends no provider query: %s',
  async (address) => {
    const { key } = await server.openAccount()
    const before = provider.asked.length
    const alone = await lookUp(address, key)
    expect([alone.status, alone.code, alone.charged]).toEqual([400, 'invalid_address', 0])
    expect(alone.json.error.message).toMatch(/no city and no ZIP code/)
    const batch = await server.post('/v1/properties/batch', { addresses: [address] }, { key })
    expect([batch.status, batch.code]).toEqual([400, 'invalid_address'])
    expect(batch.json.error.message).toMatch(/^addresses\.0 has .*no city and no ZIP code/)
    expect(provider.asked).toHaveLength(before)
  },
)

it('getPropertyByAddress returns a free 404 if the state contradicts the ZIP code', async () => {
  const { key } = await server.openAccount()
  const address = '2114 Bigelow Ave N, Seattle, OR 98109'
  const answer = await lookUp(address, key)
  expect([answer.status, answer.code, answer.charged]).toEqual([404, 'not_found', 0])
  const job = await runBatch(server, key, { addresses: [address] })
  expect(job).toMatchObject({ result_count: 0, failure_count: 1, credits_charged: 0 })
})
