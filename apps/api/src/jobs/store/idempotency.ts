// Idempotency-Key: for 24 hours a key of an account stands for one request and the job that it started. Of calls with
// the same key at the same moment one starts the job; the others wait for it and find it started.

import { createHash } from 'node:crypto'
import type { Queryable } from '../../database/database.ts'

export interface IdempotentCall {
  readonly accountId: string
  readonly key: string
  readonly fingerprint: Buffer
  /** The job that is started if the key is free. */
  readonly jobId: string
}

export type Taken =
  | { readonly taken: 'now' }
  /** By the same request: this is the job that it started. */
  | { readonly taken: 'before'; readonly jobId: string }
  | { readonly taken: 'by another request' }

// A key that was not used for a day is free again. While another call that takes the same key has not committed, the
// insert waits for it.
const TAKE = `
  insert into idempotency_keys (account_id, key, fingerprint, job_id) values ($1, $2, $3, $4)
  on conflict (account_id, key) do update
    set fingerprint = excluded.fingerprint, job_id = excluded.job_id, created_at = now()
    where idempotency_keys.created_at <= now() - interval '24 hours'
  returning 1`

const FIND = 'select fingerprint, job_id from idempotency_keys where account_id = $1 and key = $2'

/** Call it in the transaction that starts the job: if that is not committed, the key is free again. */
export async function takeKey(tx: Queryable, call: IdempotentCall): Promise<Taken> {
  const { accountId, key, fingerprint, jobId } = call
  const took = await tx.query(TAKE, [accountId, key, fingerprint, jobId])
  if (took.rows.length > 0) return { taken: 'now' }
  const { rows } = await tx.query<{ fingerprint: Buffer; job_id: string }>(FIND, [accountId, key])
  const found = rows[0]
  if (!found) throw new Error('The key of a call was removed while it was being looked at.')
  return found.fingerprint.equals(fingerprint)
    ? { taken: 'before', jobId: found.job_id }
    : { taken: 'by another request' }
}

/** The same for two requests that ask the same, in whatever order they name their fields. */
export function fingerprintOf(operation: string, input: unknown): Buffer {
  return createHash('sha256')
    .update(`${operation}\n${canonical(input)}`)
    .digest()
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  fields.sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join()}}`
}
