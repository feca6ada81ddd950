// Jobs that end, for tests of the events about them: accounts, webhooks and events, written by the functions that the
// service itself uses.

import { randomUUID } from 'node:crypto'
import type { Job, JobStatus, WebhookEventType, WebhookWithSecret } from '@lotline/contract'
import type { Database } from '../../src/infrastructure/database/database.ts'
import { isRefusal } from '../../src/infrastructure/platform/refusal.ts'
import { openAccount } from '../../src/money/accounts/open-account.ts'
import { JOB_EVENTS } from '../../src/work/jobs/job.ts'
import { writeJobEvent } from '../../src/work/jobs/store/settle-job.ts'
import type { SecretBox } from '../../src/work/webhooks/secret-box.ts'
import { createWebhook } from '../../src/work/webhooks/webhook-store.ts'

export async function makeAccount(database: Database): Promise<string> {
  return (await openAccount(database, { plan: 'custom', credits: 1000 })).accountId
}

/** A webhook of the account, whatever its URL is. */
export async function makeWebhook(
  database: Database,
  box: SecretBox,
  accountId: string,
  url: string,
  events: readonly WebhookEventType[] = JOB_EVENTS,
): Promise<WebhookWithSecret> {
  const made = await createWebhook(database, box, accountId, { url, events, description: '' })
  if (isRefusal(made)) throw new Error(made.message)
  return made
}

/** A job as it stands when it has ended. */
export function endedJob(status: Extract<JobStatus, 'succeeded' | 'failed' | 'timed_out' | 'aborted'>): Job {
  const now = new Date().toISOString()
  return {
    id: randomUUID(),
    type: 'batch_detail',
    status,
    chain_stage: null,
    progress: { done: 3, total: 3 },
    result_count: status === 'succeeded' ? 3 : null,
    failure_count: 0,
    failures: [],
    skipped_count: 0,
    skipped: [],
    error: status === 'succeeded' ? null : { code: 'internal_error', message: 'It did not work out.' },
    coverage: null,
    credits_held: 0,
    credits_charged: status === 'succeeded' ? 3 : 0,
    truncated_by: null,
    created_at: now,
    started_at: now,
    completed_at: now,
  } as Job
}

/** Ends jobs of the account, one transaction each, and returns them. */
export async function endJobs(
  database: Database,
  accountId: string,
  count = 1,
  status: Parameters<typeof endedJob>[0] = 'succeeded',
): Promise<Job[]> {
  const jobs = Array.from({ length: count }, () => endedJob(status))
  for (const job of jobs) await database.transaction((tx) => writeJobEvent(tx, accountId, job))
  return jobs
}
