// The real deliverer in the test's process, with the test's database and real receivers. When it stops, it must have released
// every lease.

import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { readConfig } from '../../src/infrastructure/config/config.ts'
import type { Database } from '../../src/infrastructure/database/database.ts'
import {
  type Deliverer,
  type DelivererParts,
  startDeliverer,
} from '../../src/work/webhooks/deliver-events.ts'
import { createSecretBox } from '../../src/work/webhooks/secret-box.ts'

export const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')

/** Loopback is allowed, an attempt has 10 s, and a retry follows after 20 and 80 ms. */
export const ENV = {
  SECRETS_KEY,
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'on',
  WEBHOOK_TIMEOUT_MS: '10000',
  WEBHOOK_BACKOFF_MS: '20',
}

export const box = createSecretBox(readConfig(ENV))

export interface DeliveriesOptions extends Partial<Pick<DelivererParts, 'network' | 'bounds'>> {
  readonly env?: Readonly<Record<string, string>>
}

/** Delivers until the test ends, or `stop`. */
export function startDeliveries(database: Database, { env, ...parts }: DeliveriesOptions = {}): Deliverer {
  const config = readConfig({ ...ENV, ...env })
  const deliverer = startDeliverer({
    config,
    database,
    log: pino({ level: 'silent' }),
    box: createSecretBox(config),
    ...parts,
  })
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= deliverer.stop())
  onTestFinished(stop)
  return { stop }
}

export interface Attempt {
  readonly webhook_id: string
  readonly event_id: string
  readonly attempt: number
  readonly status_code: number | null
  readonly delivered: boolean
  readonly error: string | null
  readonly response_preview: string
  readonly sent_at: Date | null
  readonly ended_at: Date | null
}

/** All attempts to deliver to a webhook, in their order. */
export async function attemptsOf(database: Database, webhookId: string): Promise<Attempt[]> {
  const { rows } = await database.query<Attempt>(
    'select * from webhook_attempts where webhook_id = $1 order by id',
    [webhookId],
  )
  return rows
}

/** Counts the deliveries to a webhook by state. */
export async function statesOf(database: Database, webhookId: string): Promise<Record<string, number>> {
  const { rows } = await database.query<{ state: string; count: number }>(
    'select state, count(*) from webhook_deliveries where webhook_id = $1 group by 1',
    [webhookId],
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}
