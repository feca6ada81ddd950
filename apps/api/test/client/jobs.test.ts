// Jobs end to end through the SDK: starting, waiting, reading in each format, and the webhook event, which the receiver verifies with the
// SDK as well.

import {
  ConflictError,
  JobFailedError,
  JobNotReadyError,
  type Property,
  verifyWebhook,
  WebhookVerificationError,
} from '@lotline/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { ENV, startDeliveries } from '../setup/deliveries.ts'
import { startReceiver } from '../setup/receiver.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import { BOX, homeUrl, withWorker } from '../work/jobs/job-calls.ts'
import { createListProvider } from '../work/jobs/list-provider.ts'
import { withoutClaims } from '../work/jobs/made-jobs.ts'
import { BUILDINGS, HOMES, SAMPLE } from '../work/jobs/sample-homes.ts'
import { type Sdk, sdkFor } from './sdk.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { parts: { provider: createListProvider(SAMPLE) }, env: ENV })
withWorker(server)

const urls = HOMES.slice(0, 5).map(({ zpid }) => homeUrl(zpid))
const zpids = HOMES.slice(0, 5).map(({ zpid }) => zpid)
const filters = { status: 'for_sale', bbox: BOX } as const
const withoutSources = (rows: readonly object[]) => rows.map((row) => ({ ...row, source: undefined }))

let sdk: Sdk
let lotline: Sdk['lotline']
beforeAll(async () => {
  sdk = sdkFor(server, (await server.openAccount({ credits: 100_000 })).key)
  lotline = sdk.lotline
})

async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const read: Row[] = []
  for await (const row of rows) read.push(row)
  return read
}

describe('one SDK call starts a job, waits for it, and streams its rows', () => {
  it('a batch', async () => {
    const told: string[] = []
    const homes = await all(
      lotline.properties.batch({ urls }, { onProgress: ({ status }) => void told.push(status) }),
    )
    expect(homes.map(({ zpid, input }) => [zpid, input])).toEqual(zpids.map((zpid, n) => [zpid, urls[n]]))
    expect(told.at(-1)).toBe('succeeded')
  })

  it('a search, with each row returned and charged once', async () => {
    const { data: before } = await lotline.account.me()
    const rows = await all(lotline.search.run({ filters, maxItems: 120 }))
    expect(new Set(rows.map(({ zpid }) => zpid)).size).toBe(120)
    const { data: after } = await lotline.account.me()
    expect(before.credits.balance - after.credits.balance).toBe(120)
  })

  it('a search with details', async () => {
    const homes: Property[] = await all(lotline.search.withDetails({ filters, maxItems: 3 }))
    expect(homes).toHaveLength(3)
    expect(homes.every(({ homeStatus }) => homeStatus === 'FOR_SALE')).toBe(true)
  })

  it('the units of a building, synchronously or as a job', async () => {
    const [building] = BUILDINGS
    const atOnce = await all(lotline.buildings.units(building!.url))
    const asJob = await all(lotline.buildings.units(building!.url, { sync: false }))
    // The job names the source of its first row once.
    expect(withoutSources(asJob)).toEqual(withoutSources(atOnce))
    expect(atOnce.filter(({ unitNumber }) => unitNumber).length).toBe(building!.units.length)
  })
})

describe("a job's result", () => {
  let id = ''
  beforeAll(async () => {
    const { job } = await lotline.search.run({ filters, maxItems: 120, async: true })
    const ended = await job.wait()
    expect([ended.result_count, ended.credits_charged]).toEqual([120, 120])
    id = job.id
  })

  it('has the same rows by pages, as NDJSON, and as CSV', async () => {
    const rows = await all(lotline.jobs.results(id, { limit: 50 }))
    expect(rows).toHaveLength(120)
    const ndjson = await all(await lotline.jobs.results(id, { format: 'ndjson' }))
    expect(withoutSources(ndjson)).toEqual(withoutSources(rows))
    const csv = await lotline.jobs.results(id, { format: 'csv' })
    const lines = (await csv.text()).trimEnd().split('\r\n')
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(rows.map(({ zpid }) => zpid))
    expect(csv.meta.total).toBe(120)
  })

  it('can be read page by page', async () => {
    const pages = await all(lotline.jobs.results(id, { limit: 50 }).pages())
    expect(pages.map(({ data, meta }) => [data.length, meta.has_more])).toEqual([
      [50, true],
      [50, true],
      [20, false],
    ])
    expect(pages.every(({ credits }) => credits.charged === 0)).toBe(true)
  })

  it("is listed among the account's jobs and usage", async () => {
    const jobs = await all(lotline.jobs.list({ limit: 2 }))
    expect(jobs.map((job) => job.id)).toContain(id)
    const usage = await all(lotline.account.usage({ limit: 5 }))
    expect(new Set(usage.map((row) => row.id)).size).toBe(usage.length)
    expect(usage.length).toBeGreaterThan(10)
  })
})

describe('a job that has not finished, or failed', () => {
  it('has no results while it waits, and waiting stops when the signal aborts', async () => {
    const { job } = await withoutClaims(server.app.database, async () => {
      const { job } = await lotline.properties.batch({ urls })
      await expect(job.results()).rejects.toThrow(JobNotReadyError)
      await expect(job.wait({ signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
        name: 'TimeoutError',
      })
      expect((await job.get()).data.status).toBe('queued')
      return { job }
    })
    expect((await job.wait()).status).toBe('succeeded')
  })

  it('rejects with its error', async () => {
    const { job } = await lotline.buildings.units('https://www.zillow.com/b/nowhere-seattle-wa-9ZzZzZ/', {
      sync: false,
    })
    const error = await job.wait().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(JobFailedError)
    expect(error).toMatchObject({
      code: 'job_failed',
      job: { id: job.id, status: 'failed', credits_charged: 0 },
    })
  })

  it('is started once for an idempotency key, which refuses a different request', async () => {
    const options = { idempotencyKey: 'once' }
    const first = await lotline.properties.batch({ urls }, options)
    const second = await lotline.properties.batch({ urls }, options)
    expect(second.job.id).toBe(first.job.id)
    const other = lotline.properties.batch({ urls: urls.slice(1) }, options)
    await expect(other).rejects.toThrow(ConflictError)
    await expect(other).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    expect((await first.job.wait()).status).toBe('succeeded')
  })
})

describe('a webhook', () => {
  it('reports the end of a job, and verifyWebhook accepts its signature', async () => {
    const receiver = await startReceiver()
    startDeliveries(testDatabase.database)
    const { data: webhook } = await lotline.webhooks.create({
      url: `${receiver.url}/hook`,
      events: ['job.succeeded'],
    })
    const { job } = await lotline.properties.batch({ urls })
    await receiver.until(1)
    const [{ body, headers }] = receiver.events as [(typeof receiver.events)[0]]

    const event = await verifyWebhook(body, headers, webhook.secret)
    expect([event.type, event.data.job?.id, event.attempt]).toEqual(['job.succeeded', job.id, 1])
    expect(event.data.job).toEqual((await job.get()).data)
    const other = webhook.secret.replace(/.{4}$/, 'AAA=')
    await expect(verifyWebhook(body, headers, other)).rejects.toThrow(WebhookVerificationError)
    await expect(verifyWebhook(`${body} `, headers, webhook.secret)).rejects.toThrow(WebhookVerificationError)

    await expect
      .poll(async () => (await lotline.webhooks.deliveries(webhook.id)).data, { timeout: 20_000 })
      .toMatchObject([{ event_id: event.id, delivered: true }])
    await lotline.webhooks.delete(webhook.id)
    const { data: left } = await lotline.webhooks.list()
    expect(left).toMatchObject([{ id: webhook.id, active: false }])
  })
})
