// Requests that create or start something and accept an Idempotency-Key, and counts of what they created.

import type { Database } from '../../src/infrastructure/database/database.ts'
import { homeUrl } from '../work/jobs/job-calls.ts'
import { endJobs } from './webhook-jobs.ts'

/** The objects that the requests refer to. */
export interface CreationTargets {
  readonly webhook: string
  readonly keyId: string
  /** Ids of delivered events. */
  readonly deliveries: readonly [string, string]
}

export interface Creation {
  readonly path: (made: CreationTargets) => string
  readonly body?: object
  readonly status: 200 | 201 | 202
  /** The body of a different request, or its path if requests have no body. */
  readonly other: object | ((made: CreationTargets) => string)
}

export const WEBHOOK = { url: 'https://hooks.example.com/lotline' }
export const WATCH = { name: 'Homes', zpids: ['48749425'] }
const SEARCH = { filters: { bbox: { west: -123, south: 47, east: -122, north: 48 } }, max_items: 3 }

export const CREATIONS = {
  createWebhook: {
    path: () => '/v1/webhooks',
    body: WEBHOOK,
    status: 201,
    other: { ...WEBHOOK, description: 'Other' },
  },
  createWatch: {
    path: () => '/v1/watches',
    body: WATCH,
    status: 201,
    other: { ...WATCH, name: 'Other' },
  },
  createKey: {
    path: () => '/v1/keys',
    body: { name: 'One' },
    status: 201,
    other: { name: 'Other' },
  },
  createPropertyBatch: {
    path: () => '/v1/properties/batch',
    body: { urls: [homeUrl(1)] },
    status: 202,
    other: { urls: [homeUrl(2)] },
  },
  searchWithDetails: {
    path: () => '/v1/search/with-details',
    body: SEARCH,
    status: 202,
    other: { ...SEARCH, max_items: 4 },
  },
  rotateKey: {
    path: ({ keyId }) => `/v1/keys/${keyId}/rotate`,
    status: 200,
    other: ({ keyId }) => `/v1/keys/${keyId}/rotate?grace_minutes=1`,
  },
  rotateWebhookSecret: {
    path: ({ webhook }) => `/v1/webhooks/${webhook}/rotate-secret`,
    status: 200,
    other: ({ webhook }) => `/v1/webhooks/${webhook}/rotate-secret?overlap_hours=1`,
  },
  redeliverWebhookEvent: {
    path: ({ webhook, deliveries: [one] }) => `/v1/webhooks/${webhook}/deliveries/${one}/redeliver`,
    other: ({ webhook, deliveries: [, two] }) => `/v1/webhooks/${webhook}/deliveries/${two}/redeliver`,
    status: 200,
  },
} satisfies Readonly<Record<string, Creation>>

/** Two events that were delivered at the first attempt. No process may be sending. */
export async function deliverEvents(
  database: Database,
  accountId: string,
  webhook: string,
): Promise<CreationTargets['deliveries']> {
  await endJobs(database, accountId, 2)
  await database.query(
    `update webhook_deliveries set state = 'delivered', attempt = 1, last_attempt = 1, ended_at = now()
     where account_id = $1 and webhook_id = $2`,
    [accountId, webhook],
  )
  const { rows } = await database.query<{ id: number }>(
    `insert into webhook_attempts (account_id, webhook_id, event_id, attempt, ended_at, status_code, delivered)
     select account_id, webhook_id, event_id, 1, now(), 204, true from webhook_deliveries
     where account_id = $1 and webhook_id = $2 returning id`,
    [accountId, webhook],
  )
  const [one, two] = rows.map(({ id }) => String(id))
  return [one!, two!]
}

/** Counts the rows and delivery attempts that the requests can cause. */
export async function countCreated(
  database: Database,
  accountId: string,
): Promise<Readonly<Record<string, number>>> {
  const { rows } = await database.query<Readonly<Record<string, number>>>(
    `select (select count(*) from webhooks where account_id = $1) as webhooks,
       (select count(*) from webhook_secrets where account_id = $1) as secrets,
       (select count(*) from watches where account_id = $1) as watches,
       (select count(*) from api_keys where account_id = $1) as keys,
       (select count(*) from jobs where account_id = $1) as jobs,
       (select sum(last_attempt) from webhook_deliveries where account_id = $1) as attempts`,
    [accountId],
  )
  return rows[0]!
}
