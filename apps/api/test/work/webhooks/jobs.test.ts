// From the call that starts a job to the event of its end, with everything real but the source of the listings.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ProviderFailure } from '../../../src/data/sources/provider.ts'
import { abortJob } from '../../../src/work/jobs/jobs.ts'
import type { Deliverer } from '../../../src/work/webhooks/deliver-events.ts'
import { ENV } from '../../setup/deliveries.ts'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { startReceiver } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { BOX, getJob, HASTE, homeUrl, startJob, withWorker } from '../jobs/job-calls.ts'

const testDatabase = withTestDatabase()
const provider = createMemoryProvider()
const server = withTestServer(testDatabase, {
  env: { ...ENV, JOB_TIMEOUT_MS: '1500' },
  parts: { provider, providerRetry: HASTE },
})
withWorker(server)
let deliverer: Deliverer | undefined
beforeAll(() => {
  deliverer = server.app.webhooks.start()
})
afterAll(() => deliverer?.stop())

const BATCH = { urls: [homeUrl('48749425')] }

/** An account with a webhook of its own. */
async function subscribe() {
  const receiver = await startReceiver()
  const { key } = await server.openAccount()
  const made = await server.post('/v1/webhooks', { url: receiver.url }, { key })
  expect(made.status).toBe(201)
  return { receiver, key, webhookId: made.json.data.id as string }
}

describe("a job's event", () => {
  it.each([
    ['a batch', '/v1/properties/batch', BATCH],
    ['a search', '/v1/search', { filters: { bbox: BOX }, async: true }],
    ['a chained search, once for both stages', '/v1/search/with-details', { filters: { bbox: BOX } }],
  ])('is sent when %s has succeeded, with the job in the form of GET', async (_what, path, body) => {
    const { receiver, key, webhookId } = await subscribe()
    const { id } = await startJob(server, path, body, { key })
    await receiver.until(1)
    const [event] = receiver.events
    expect(event!.json.type).toBe('job.succeeded')
    expect(event!.json.data.job).toEqual(await getJob(server, key, id))
    const { json } = await server.get(`/v1/webhooks/${webhookId}/deliveries`, { key })
    expect(json.data).toMatchObject([
      { event_id: event!.json.id, job_id: id, event: 'job.succeeded', attempt: 1 },
    ])
  })

  it('is sent when the job has failed, timed out, or been aborted by the operator', async () => {
    const { receiver, key } = await subscribe()
    const endings = {
      'job.failed': () => Promise.reject(new ProviderFailure('broken')),
      'job.timed_out': () => new Promise<never>(() => {}),
      'job.aborted': () => new Promise<never>(() => {}),
    }
    for (const [index, [type, trouble]] of Object.entries(endings).entries()) {
      provider.trouble = trouble
      const { id } = await startJob(server, '/v1/properties/batch', { urls: [homeUrl(900 + index)] }, { key })
      if (type === 'job.aborted') expect(await abortJob(testDatabase.database, id)).toBe(true)
      await receiver.until(index + 1)
      const event = receiver.events[index]!
      expect([event.json.type, event.json.data.job.error.code]).toEqual([type, expect.any(String)])
      expect(event.json.data.job).toEqual(await getJob(server, key, id))
      provider.trouble = undefined
    }
  })
})
