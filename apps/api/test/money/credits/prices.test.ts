// Prices come only from the contract: with other prices in it, holds, charges, refusals, the manual, and the audit follow.

import { readFileSync } from 'node:fs'
import {
  costOfRows,
  isCharged,
  type OperationId,
  operationIds,
  operations,
  type Property,
  price,
  priceInWords,
} from '@lotline/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withPrices } from '../../../guides/price-table.ts'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import type { Provider } from '../../../src/data/sources/provider.ts'
import { referenceDocument } from '../../../src/interfaces/manual/reference-document.ts'
import { adjustCredits } from '../../../src/money/credits/adjust.ts'
import { auditLedger, type Drift } from '../../../src/money/credits/audit.ts'
import type { RunningJobs } from '../../../src/work/jobs/jobs.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { type ExampleCall, minimalCall, sendCall } from '../../setup/example-calls.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { type TestResponse, withTestServer } from '../../setup/test-server.ts'
import { usageOf } from '../../setup/usage.ts'
import { BOX, HASTE, untilEnded, withWorker } from '../../work/jobs/job-calls.ts'

const CHARGED = operationIds.filter((id) => isCharged(operations[id]))
const TOWER = 'https://www.zillow.com/b/tower-seattle-wa-TowErX/'
/** Homes that the source has everywhere: more than a search without `maxItems` returns. */
const HOMES = 60

type Stages = { price: number; minimum: number }[]
const stagesOf = (id: OperationId) => operations[id].price.stages as unknown as Stages
const CONTRACT = new Map(CHARGED.map((id) => [id, stagesOf(id).map((stage) => ({ ...stage }))]))

/** Writes other prices into the contract's table of operations. Free rows have no minimum; undefined: the real ones. */
function setPrices(credits?: number): void {
  for (const [id, real] of CONTRACT) {
    for (const [at, stage] of stagesOf(id).entries()) {
      const { price, minimum } = real[at]!
      const isPerCall = operations[id].price.stages[at]!.per === 'call'
      stage.price = credits ?? price
      stage.minimum = credits === undefined ? minimum : isPerCall ? credits : Math.min(minimum, credits)
    }
  }
}

const home = (zpid: number): Property => ({
  zpid: String(zpid),
  homeStatus: 'FOR_SALE',
  unitNumber: String(zpid),
  latitude: 47,
  longitude: -122,
})
const homes = Array.from({ length: HOMES }, (_, at) => home(at + 1))
const provider: Provider = {
  name: 'prices',
  searchCap: 1000,
  findByZpid: async (zpid) => ({ record: home(Number(zpid)), generation: null }),
  findByUrl: async () => ({ record: home(1), generation: null }),
  findByAddress: async () => ({ found: 'one', listing: { record: home(1), generation: null } }),
  findUnits: async () => ({ units: homes.slice(0, 3) }),
  search: async ({ status, bbox: { south, west } }, { limit }) => {
    const place = { homeStatus: status.toUpperCase(), latitude: south, longitude: west }
    return { records: homes.slice(0, limit).map((row) => ({ ...row, ...place })), total: HOMES }
  },
}

/** Calls that are answered at once, each with how many rows it finds. */
const SYNC: readonly { name: string; call: ExampleCall; rows: number }[] = CHARGED.filter(
  (id) => operations[id].statuses[200],
).flatMap((id): { name: string; call: ExampleCall; rows: number }[] => {
  const call = minimalCall(id)
  if (id === 'getBuildingUnits') return [{ name: id, call, rows: 3 }]
  if (id === 'getPropertyByUrl') {
    const building = { ...call, query: { url: TOWER, extract_units: 'all' } }
    return [
      { name: id, call, rows: 1 },
      { name: `${id} of a building`, call: building, rows: 3 },
    ]
  }
  const { filters } = (call.body ?? {}) as { filters?: object }
  const allRows = filters ? { ...call, body: { filters } } : call
  return [{ name: id, call: allRows, rows: operations[id].price.stages[0]!.per === 'row' ? 50 : 1 }]
})

const urls = homes.slice(0, 5).map(({ zpid }) => `https://www.zillow.com/homedetails/${zpid}_zpid/`)
const filters = { status: 'for_sale', bbox: BOX }
const WATCH: ExampleCall = {
  ...minimalCall('createWatch'),
  body: { name: 'New homes', filters: { bbox: { west: -123, south: 46, east: -121, north: 48 } } },
}

/** How many homes a watch reports as new. */
const EVENTS = 5

/** Jobs, each with how many rows its stages come to, and for how many of them it holds credits at first. */
const JOBS: readonly { id: OperationId; call: ExampleCall; rows: number; firstRows: number | null }[] = [
  job('createPropertyBatch', { urls, maxItems: 500 }, 5),
  job('createPropertyBatch', { urls, maxItems: 4 }, 4),
  job('createPropertyBatch', { urls, maxItems: 500, extractBuildingUnits: 'all' }, 5),
  job('searchListings', { filters, maxItems: 55 }, 55),
  job('searchForSale', { filters, async: true }, 50),
  job('searchForRent', { filters, maxItems: 52 }, 52),
  job('searchSold', { filters, maxItems: 53 }, 53),
  job('searchWithDetails', { filters, maxItems: 6 }, 6),
  {
    id: 'getBuildingUnits',
    rows: 3,
    firstRows: null,
    call: { ...minimalCall('getBuildingUnits'), query: { url: TOWER, sync: 'false' } },
  },
]

function job(id: OperationId, body: object, rows: number) {
  return { id, call: { ...minimalCall(id), body }, rows, firstRows: rows }
}

afterAll(() => setPrices())

describe.each([2, 7, 0])('with a price of %i for everything', (credits) => {
  const testDatabase = withTestDatabase()
  const server = withTestServer(testDatabase, { parts: { provider, providerRetry: HASTE } })
  withWorker(server)
  beforeAll(() => setPrices(credits))

  async function drifts(): Promise<Drift[]> {
    const found: Drift[] = []
    await auditLedger(testDatabase.database, (drift) => void found.push(drift))
    return found
  }

  function expectRefused(answer: TestResponse, details: { balance: number; held: number; required: number }) {
    expect([answer.status, answer.code, answer.charged]).toEqual([402, 'out_of_credits', 0])
    expect(answer.json.error.details).toEqual(details)
  }

  describe.each(SYNC)('$name', ({ call, rows }) => {
    const isPerRow = operations[call.id].price.stages[0]!.per === 'row'

    it('charges that for each row, or for the call', async () => {
      const { key } = await server.openAccount({ credits: 1000 })
      const answer = await sendCall(server, call, { key })
      const due = isPerRow ? credits * rows : credits
      expect([answer.status, answer.charged, answer.remaining]).toEqual([200, due, 1000 - due])
      expect(await usageOf(testDatabase.database, answer)).toMatchObject([
        // Free events are not counted.
        { units: credits === 0 ? 0 : isPerRow ? rows : 1, credits_charged: due },
      ])
    })

    it('is estimated at that price', async () => {
      const { key } = await server.openAccount({ credits: 1000 })
      const { id, params, query, body } = call
      const input = { path: params, query, ...(body !== undefined && { body }) }
      const due = isPerRow ? credits * rows : credits
      const answer = await server.post('/v1/estimate', { operation: id, input }, { key })
      expect([answer.status, answer.charged], answer.text).toEqual([200, 0])
      expect(answer.json.data).toMatchObject({ min: due, max: due })
    })

    if (credits > 0)
      it('is reduced or refused with a limit of one credit less than its cost', async () => {
        const { key } = await server.openAccount({ credits: 1000 })
        const due = isPerRow ? credits * rows : credits
        const answer = await sendCall(server, call, { key, headers: { 'x-max-credits': String(due - 1) } })
        const left = isPerRow ? rows - 1 : 0
        expect([answer.status, answer.charged]).toEqual(left > 0 ? [200, left * credits] : [402, 0])
        expect(answer.code ?? answer.json.meta.truncated_by).toBe(
          left > 0 ? 'max_credits' : 'max_credits_exceeded',
        )
      })

    if (credits > 1)
      it('is refused with one credit less than the price of a row, and the error names the price', async () => {
        const balance = credits - 1
        const { key } = await server.openAccount({ credits: balance })
        expectRefused(await sendCall(server, call, { key }), { balance, held: 0, required: credits })
      })

    if (credits > 0 && rows > 2)
      it('is reduced to the rows that the credits cover', async () => {
        const { key } = await server.openAccount({ credits: 2 * credits + 1 })
        const answer = await sendCall(server, call, { key })
        expect([answer.status, answer.charged, answer.remaining]).toEqual([200, 2 * credits, 1])
        expect(answer.json.meta).toMatchObject({ count: 2, truncated: true, truncated_by: 'credits' })
      })
  })

  describe.each(JOBS)('a job of $id over $rows rows', ({ id, call, rows, firstRows }) => {
    const whole = () => costOfRows(id, rows)

    it('holds the price of its rows, and is charged that', async () => {
      const { key } = await server.openAccount({ credits: 1000 })
      const answer = await sendCall(server, call, { key })
      expect([answer.status, answer.text]).toEqual([202, expect.any(String)])
      const firstHold = firstRows === null ? (credits === 0 ? 0 : 500) : costOfRows(id, firstRows)
      expect(answer.remaining).toBe(1000 - firstHold)
      expect(await untilEnded(server, key, answer.json.data.job_id)).toMatchObject({
        status: 'succeeded',
        result_count: rows,
        credits_charged: whole(),
        credits_held: 0,
      })
      expect((await server.get('/v1/me', { key })).json.data.credits.available).toBe(1000 - whole())
    })

    if (credits > 0)
      it('is refused without credits for one row and one spare credit', async () => {
        const least = costOfRows(id, 1)
        const { key } = await server.openAccount({ credits: least })
        const required = least + 1
        expectRefused(await sendCall(server, call, { key }), { balance: least, held: 0, required })
      })

    if (credits > 0)
      it('is reduced to the rows that all but the last credit cover', async () => {
        const balance = costOfRows(id, 3)
        const { key } = await server.openAccount({ credits: balance })
        const answer = await sendCall(server, call, { key })
        expect(answer.remaining).toBe(1)
        expect(await untilEnded(server, key, answer.json.data.job_id)).toMatchObject({
          status: 'succeeded',
          result_count: 2,
          truncated_by: 'credits',
          credits_charged: costOfRows(id, 2),
        })
      })

    if (credits === 0)
      it('is accepted with only the last credit, and does not spend it', async () => {
        const { key } = await server.openAccount({ credits: 1 })
        const answer = await sendCall(server, call, { key })
        expect([answer.status, answer.remaining]).toEqual([202, 1])
        expect(await untilEnded(server, key, answer.json.data.job_id)).toMatchObject({
          status: 'succeeded',
          result_count: rows,
          credits_charged: 0,
        })
      })
  })

  describe('a watch', () => {
    /** Empties the log, creates a watch, lists homes, and evaluates. */
    async function watchNewHomes(balance: number) {
      await testDatabase.database.query('truncate listings, listing_changes, removed_listings')
      const { key } = await server.openAccount({ credits: balance })
      const created = await sendCall(server, WATCH, { key })
      expect([created.status, created.charged, created.remaining]).toEqual([201, 0, balance])
      const { id } = created.json.data as { id: string }
      await importListings(testDatabase.database, rowsOf(homes.slice(0, EVENTS)), { source: 'prices' })
      await evaluate()
      return { key, id }
    }

    const evaluate = () => server.app.watches.start().stop()

    /** Each event has a usage row. */
    const usageOf = (events: number) =>
      Array.from({ length: events }, () => ({ status_code: 200, units: 1, credits_charged: credits }))

    async function readWatch({ key, id }: { key: string; id: string }) {
      const watch = (await server.get(`/v1/watches/${id}`, { key })).json.data
      const events = await server.get(`/v1/watches/${id}/events`, { key })
      const usage = (await server.get('/v1/usage', { key })).json.data as { endpoint: string }[]
      return {
        status: watch.status,
        reason: watch.paused_reason,
        available: events.remaining,
        events: events.json.data.length,
        usage: usage.filter(({ endpoint }) => endpoint === 'watch').toReversed(),
      }
    }

    it('is created for free, and each of its events is charged that price', async () => {
      const watch = await watchNewHomes(1000)
      const due = EVENTS * credits
      expect(await readWatch(watch)).toMatchObject({
        status: 'active',
        reason: null,
        events: EVENTS,
        available: 1000 - due,
        usage: usageOf(EVENTS),
      })
    })

    if (credits > 0)
      it('reports the events that its account can pay for, keeps the last credit, and continues when credits suffice again', async () => {
        // One credit less than three events and the last credit.
        const watch = await watchNewHomes(3 * credits)
        const paused = { status: 'paused', reason: 'out_of_credits', events: 2, available: credits }
        expect(await readWatch(watch)).toMatchObject({ ...paused, usage: usageOf(2) })
        await evaluate()
        expect(await readWatch(watch)).toMatchObject({ ...paused, usage: usageOf(2) })

        const { id } = (await server.get('/v1/me', { key: watch.key })).json.data
        await adjustCredits(testDatabase.database, id, 1, 'test')
        await evaluate()
        expect(await readWatch(watch)).toMatchObject({
          status: 'paused',
          events: 3,
          available: 1,
          usage: usageOf(3),
        })
      })

    if (credits === 0)
      it('reports everything with one credit, and does not spend it', async () => {
        expect(await readWatch(await watchNewHomes(1))).toMatchObject({
          status: 'active',
          events: EVENTS,
          available: 1,
        })
      })
  })

  it('appears in the price table of the guide and in the reference', () => {
    const guide = withPrices(readFileSync(new URL('../../../guides/credits.md', import.meta.url), 'utf8'))
    const { paths } = JSON.parse(referenceDocument()) as {
      paths: Record<string, Record<string, { description: string }>>
    }
    for (const id of CHARGED) {
      const { method, path } = operations[id]
      const line = `| \`${method} ${path}\` | ${priceInWords(operations[id])} |`
      expect(guide.includes(line)).toBe(credits > 0)
      expect(paths[path]![method.toLowerCase()]!.description).toContain(
        credits > 0 ? `**Price:** ${credits} ` : '**Price:** free.',
      )
    }
  })

  it('passes the audit, and fails it with other prices', async () => {
    expect(await drifts()).toEqual([])
    setPrices(credits + 1)
    try {
      const found = await drifts()
      expect(new Set(found.map(({ check }) => check))).toEqual(new Set(['charge is price']))
      const wrong = new Set(found.map(({ facts }) => facts.operation))
      // Jobs are judged by the prices that they were accepted with.
      expect(wrong).toEqual(new Set([...SYNC.map(({ call }) => call.id), WATCH.id]))
      expect(price('getProperty', null, 1)).toBe(credits + 1)
    } finally {
      setPrices(credits)
    }
  })
})

describe('a price that is raised while a job is open', () => {
  const testDatabase = withTestDatabase()
  const server = withTestServer(testDatabase, { parts: { provider, providerRetry: HASTE } })
  let running: RunningJobs | undefined
  afterAll(() => running?.stop())
  const [before, after] = [1, 7]

  it('does not apply to the job, even if its hold grows, but to the next job', async () => {
    setPrices(before)
    const accept = async ({ id, call }: (typeof JOBS)[number], credits: number) => {
      const { key } = await server.openAccount({ credits })
      const answer = await sendCall(server, call, { key })
      expect([id, answer.status]).toEqual([id, 202])
      return { id, key, jobId: answer.json.data.job_id as string }
    }
    // Enough for the first two rows and the last credit.
    const whole = await Promise.all(JOBS.map((job) => accept(job, 1000)))
    const cut = await Promise.all(JOBS.map((job) => accept(job, costOfRows(job.id, 3))))
    const due = JOBS.map(({ id, rows }) => [costOfRows(id, rows), costOfRows(id, 2)])

    setPrices(after)
    running = server.app.jobs.start({ work: true })
    for (const [at, { rows }] of JOBS.entries()) {
      expect(await untilEnded(server, whole[at]!.key, whole[at]!.jobId)).toMatchObject({
        status: 'succeeded',
        result_count: rows,
        credits_charged: due[at]![0],
      })
      expect(await untilEnded(server, cut[at]!.key, cut[at]!.jobId)).toMatchObject({
        status: 'succeeded',
        result_count: 2,
        truncated_by: 'credits',
        credits_charged: due[at]![1],
      })
    }
    for (const job of JOBS) {
      const { key, jobId } = await accept(job, 1000)
      expect(await untilEnded(server, key, jobId)).toMatchObject({
        status: 'succeeded',
        result_count: job.rows,
        credits_charged: costOfRows(job.id, job.rows),
      })
    }
    const found: Drift[] = []
    await auditLedger(testDatabase.database, (drift) => void found.push(drift))
    expect(found).toEqual([])
  })
})
