// Idempotency-Key: for 24 hours, a key of an account identifies one request and its answer. If several calls with one key arrive at the
// same time, one acts; the others wait for it and return its answer.
// Why: decisions/work/watch-is-read-again-for-a-replay.md

import { createHash } from 'node:crypto'
import type { Queryable } from '../../infrastructure/database.ts'
import { type Refusal, refuseFor } from '../../infrastructure/refusals.ts'

export interface IdempotentCall {
  readonly accountId: string
  readonly key: string
  readonly fingerprint: Buffer
}

/** The answer to the first call, as JSON. It is encrypted if it contains a secret. */
export interface StoredAnswer {
  readonly answer: object | null
  readonly sealed: Buffer | null
}

export type KeyClaim =
  | { readonly taken: 'now' }
  /** The same request used the key before. */
  | { readonly taken: 'before'; readonly stored: StoredAnswer }
  | { readonly taken: 'by another request' }

export const KEY_REUSED: Refusal = refuseFor('idempotency_key_reused', 'reused', {})
export const ANSWER_GONE: Refusal = refuseFor('idempotency_key_reused', 'gone', {})

// A key expires after a day without use. The insert waits while another transaction that claims the same key is uncommitted.
const TAKE = `
  insert into idempotency_keys (account_id, key, fingerprint, answer) values ($1, $2, $3, $4)
  on conflict (account_id, key) do update
    set fingerprint = excluded.fingerprint, answer = excluded.answer, sealed = null, created_at = now()
    where idempotency_keys.created_at <= now() - interval '24 hours'
  returning 1`

const FIND = 'select fingerprint, answer, sealed from idempotency_keys where account_id = $1 and key = $2'

/**
 * Claims the key. Call it in the transaction that acts, before it locks the account: a rollback frees the key. @param answer the answer, if
 * it is already known; otherwise call `keepAnswer` in the same transaction
 */
export async function takeKey(tx: Queryable, call: IdempotentCall, answer?: object): Promise<KeyClaim> {
  const { accountId, key, fingerprint } = call
  const took = await tx.query(TAKE, [accountId, key, fingerprint, answer ? JSON.stringify(answer) : null])
  if (took.rows.length > 0) return { taken: 'now' }
  const found = await find(tx, call)
  if (!found)
    throw new Error('The row of an Idempotency-Key was deleted while a call with the key was running.')
  return judge(found, call)
}

/** Looks up a key without claiming it. undefined: the key is unused. */
export async function lookUpKey(
  database: Queryable,
  call: IdempotentCall,
): Promise<Exclude<KeyClaim, { taken: 'now' }> | undefined> {
  const found = await find(database, call, "and created_at > now() - interval '24 hours'")
  return found && judge(found, call)
}

interface StoredKeyUse extends StoredAnswer {
  readonly fingerprint: Buffer
}

async function find(
  tx: Queryable,
  { accountId, key }: IdempotentCall,
  more = '',
): Promise<StoredKeyUse | undefined> {
  return (await tx.query<StoredKeyUse>(`${FIND} ${more}`, [accountId, key])).rows[0]
}

function judge(
  { fingerprint, ...stored }: StoredKeyUse,
  call: IdempotentCall,
): Exclude<KeyClaim, { readonly taken: 'now' }> {
  return fingerprint.equals(call.fingerprint) ? { taken: 'before', stored } : { taken: 'by another request' }
}

/** Stores the answer in the row of a key that this transaction has claimed. */
export async function keepAnswer(
  tx: Queryable,
  { accountId, key }: IdempotentCall,
  { answer, sealed }: StoredAnswer,
): Promise<void> {
  await tx.query('update idempotency_keys set answer = $3, sealed = $4 where account_id = $1 and key = $2', [
    accountId,
    key,
    answer && JSON.stringify(answer),
    sealed,
  ])
}

/** Requests with the same fields have the same fingerprint, in whatever order the fields are sent. */
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
