// The calls that the feed makes: over a good network, repeated until the service answers.

import { setTimeout as sleep } from 'node:timers/promises'
import type { WorldKey } from '../clients/world.ts'
import type { SeenEvent } from './records.ts'

const WEBHOOK_EVENTS = ['watch.changes', 'watch.ready', 'watch.paused', 'watch.quarantined']
const EVERY_MS = 100
const LIMIT_MS = 90_000
const CALL_MS = 20_000

export interface FeedCalls {
  createWebhook(key: WorldKey, url: string): Promise<{ readonly secret: string }>
  /** Its id. */
  createWatch(key: WorldKey, body: object): Promise<string>
  setPaused(key: WorldKey, watchId: string, paused: boolean): Promise<void>
  /** Starts a job that looks homes up by their addresses. Its id. */
  startBatch(key: WorldKey, addresses: readonly string[]): Promise<string>
  /** All rows of a job, when it has ended. */
  readRows(key: WorldKey, jobId: string): Promise<Readonly<Record<string, unknown>>[]>
  lookUp(key: WorldKey, zpid: string): Promise<{ readonly status: number; readonly text: string }>
  /** undefined: the service did not answer. */
  readEvents(key: WorldKey, watchId: string, after: number): Promise<readonly SeenEvent[] | undefined>
}

export function callsOf(port: number): FeedCalls {
  async function call(key: WorldKey, method: string, path: string, body?: object): Promise<Response> {
    return fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(CALL_MS),
      headers: { authorization: `Bearer ${key.text}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  }

  /** Repeats a call that changes nothing if it is repeated, until it is answered so. */
  async function callUntil(status: number, key: WorldKey, method: string, path: string, body?: object) {
    for (const end = performance.now() + LIMIT_MS; ; await sleep(EVERY_MS)) {
      const response = await call(key, method, path, body).catch(() => undefined)
      // biome-ignore lint/suspicious/noExplicitAny: what the contract promises is tested elsewhere
      const json = (await response?.json().catch(() => undefined)) as any
      if (response?.status === status && json) return json.data
      if (response && response.status < 500 && response.status !== 429)
        throw new Error(`${method} ${path} returned status ${response.status}: ${JSON.stringify(json)}`)
      if (performance.now() > end) throw new Error(`${method} ${path} received no response.`)
    }
  }

  return {
    // Both are sent before the first fault, so they are not repeated in truth.
    createWebhook: (key, url) => callUntil(201, key, 'POST', '/v1/webhooks', { url, events: WEBHOOK_EVENTS }),
    createWatch: async (key, body) => (await callUntil(201, key, 'POST', '/v1/watches', body)).id,
    async setPaused(key, watchId, paused) {
      await callUntil(200, key, 'PATCH', `/v1/watches/${watchId}`, { paused })
    },
    startBatch: async (key, addresses) =>
      (await callUntil(202, key, 'POST', '/v1/properties/batch', { addresses })).job_id,
    async readRows(key, jobId) {
      for (const end = performance.now() + LIMIT_MS; ; await sleep(EVERY_MS)) {
        const { status } = await callUntil(200, key, 'GET', `/v1/jobs/${jobId}`)
        if (status === 'succeeded') return callUntil(200, key, 'GET', `/v1/jobs/${jobId}/results?limit=200`)
        if (performance.now() > end) throw new Error(`job ${jobId} did not succeed. Its status is ${status}.`)
      }
    },
    async lookUp(key, zpid) {
      for (const end = performance.now() + LIMIT_MS; ; await sleep(EVERY_MS)) {
        const response = await call(key, 'GET', `/v1/properties/${zpid}`).catch(() => undefined)
        const text = await response?.text().catch(() => undefined)
        if (response && text !== undefined && response.status < 500 && response.status !== 429)
          return { status: response.status, text }
        if (performance.now() > end) throw new Error(`home ${zpid} could not be looked up.`)
      }
    },
    async readEvents(key, watchId, after) {
      try {
        const response = await call(key, 'GET', `/v1/watches/${watchId}/events?after=${after}&limit=200`)
        if (response.status !== 200) return undefined
        return ((await response.json()) as { data: SeenEvent[] }).data
      } catch {
        return undefined
      }
    },
  }
}
