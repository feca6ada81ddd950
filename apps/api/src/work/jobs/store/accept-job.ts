// Accepts a job: its row, hold, usage rows, and Idempotency-Key are committed in one transaction, before the 202 is sent. So every job that
// a client knows exists, and a job that the account cannot pay for leaves nothing.
// Why: decisions/work/job-credits-are-checked-by-the-hold.md

import { randomUUID } from 'node:crypto'
import { type AcceptedJob, operations } from '@lotline/contract'
import { findPlaces, placesOf } from '../../../data/places.ts'
import type { AreaSearch } from '../../../domain/search.ts'
import { type Database, DatabaseUnavailable, type Queryable } from '../../../infrastructure/database.ts'
import {
  isRefusal,
  type Refusal,
  refuseAboveKeyLimit,
  refuseAboveLimit,
  refuseFor,
} from '../../../infrastructure/refusals.ts'
import { findKeyAllowance, type KeyAllowance } from '../../../money/accounts.ts'
import {
  availableCredits,
  type Balance,
  ChargeLost,
  isKeyShort,
  placeHold,
  recordAccepted,
  recover,
} from '../../../money/credits.ts'
import { KEY_REUSED, takeKey } from '../../idempotency/idempotency-keys.ts'
import { JOBS_CHANNEL, type JobSpec, searchesOf, withSearches } from '../job.ts'
import { refuseJobLimit } from '../job-limits.ts'

/** The call that requests the job. */
export interface AskingCall {
  readonly accountId: string
  readonly keyId: string
  readonly requestId: string
  /** The request path. */
  readonly endpoint: string
  readonly admittedAt: Date
  /** Parameters of the call that the job does not use. The job repeats them in its responses. */
  readonly ignored?: readonly string[] | undefined
  readonly idempotency?: { readonly key: string; readonly fingerprint: Buffer } | undefined
  /** The call's name for an area of its search, for refusals. */
  readonly areaPlaceOf?: ((index: number) => string) | undefined
}

export interface AcceptTools {
  readonly database: Database
  /** Maximum running time of the job. */
  readonly timeoutMs: number
  readonly onBalance: (accountId: string, balance: Balance, keyId: string) => void
}

/** The credits to hold for the job. */
export interface HoldAsked {
  /** Its maximum cost, or a first step if the maximum is unknown. */
  readonly wanted: number
  /** The minimum hold that the job needs to start. */
  readonly least: number
  /** The client's credit limit, which the hold never exceeds. Absent: no limit. */
  readonly most?: number
}

/** The number of items, if it is known when the job is accepted. */
export type Size = number | null

export type Acceptance =
  | { readonly accepted: 'now'; readonly job: AcceptedJob; readonly credits: Balance }
  /** An earlier request with the same Idempotency-Key started this job. Nothing was changed. */
  | { readonly accepted: 'before'; readonly job: AcceptedJob }
  | { readonly accepted: 'not'; readonly refusal: Refusal }

const INSERT = `
  insert into jobs (account_id, id, type, chain_stage, request_id, operation, request, ignored, progress_total, deadline_at,
    stored_bytes, places)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + $10::float8 * interval '1 ms',
    octet_length($7::json::text), $11)`

/** Thrown to roll back the transaction. */
class RefusedJob extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

export async function acceptJob(
  tools: AcceptTools,
  call: AskingCall,
  order: JobSpec,
  hold: HoldAsked,
  size: Size,
): Promise<Acceptance> {
  const jobId = randomUUID()
  try {
    const acceptance = await tools.database.transaction((tx) =>
      accept(tx, tools, call, order, hold, size, jobId),
    )
    if (acceptance.accepted === 'now') tools.onBalance(call.accountId, acceptance.credits, call.keyId)
    return acceptance
  } catch (error) {
    if (error instanceof RefusedJob) return { accepted: 'not', refusal: error.refusal }
    // The commit may have succeeded although its answer was lost. Only the database knows.
    if (error instanceof DatabaseUnavailable && error.outcomeUnknown) {
      const credits = await recoverAcceptance(tools.database, call, order, jobId)
      if (credits) return { accepted: 'now', job: receipt(jobId, order.type), credits }
      throw new ChargeLost(credits === null ? 'free' : 'unknown', error)
    }
    throw error
  }
}

async function accept(
  tx: Queryable,
  tools: AcceptTools,
  call: AskingCall,
  order: JobSpec,
  hold: HoldAsked,
  size: Size,
  jobId: string,
): Promise<Exclude<Acceptance, { accepted: 'not' }>> {
  const { accountId, keyId } = call
  if (call.idempotency) {
    const job = receipt(jobId, order.type)
    const taken = await takeKey(tx, { accountId, ...call.idempotency }, job)
    if (taken.taken === 'before') return { accepted: 'before', job: taken.stored.answer as AcceptedJob }
    if (taken.taken === 'by another request') throw new RefusedJob(KEY_REUSED)
  }
  // After the key check: a repeated call returns its job even if a place was removed since.
  const searches = await Promise.all(searchesOf(order).map((search) => findPlacesOf(tx, search, call)))
  const places = searches.flatMap((search) => placesOf(search) ?? [])
  const request = JSON.stringify(withSearches(order, searches).request)
  await tx.query(
    INSERT,
    [
      accountId,
      jobId,
      order.type,
      stageOf(order.type),
      call.requestId,
      order.operation,
      request,
      call.ignored ? JSON.stringify(call.ignored) : null,
      size,
      tools.timeoutMs,
      places.length > 0 ? JSON.stringify(places) : null,
    ],
    { name: 'insert_job' },
  )
  const prices = operations[order.operation].price.stages
  const placed = await placeHold(tx, { accountId, jobId, keyId, ...hold, prices })
  // Reads the current limit: it may have been reset or changed since the call was authenticated.
  if (!placed.placed) throw new RefusedJob(refuseCost(placed, hold, await findKeyAllowance(tx, keyId)))
  // The hold has locked the account.
  const full = await refuseJobLimit(tx, accountId, Buffer.byteLength(request))
  if (full) throw new RefusedJob(full)
  await recordAccepted(tx, { ...call, operation: order.operation, jobId })
  await tx.query('select pg_notify($1, $2)', [JOBS_CHANNEL, ''], { name: 'notify' })
  return {
    accepted: 'now',
    job: receipt(jobId, order.type),
    credits: placed,
  }
}

/** @throws {RefusedJob} if a place is unknown, or several places have its name */
async function findPlacesOf(
  tx: Queryable,
  search: AreaSearch,
  { areaPlaceOf }: AskingCall,
): Promise<AreaSearch> {
  const placeOf = areaPlaceOf ?? (() => 'filters.area')
  const found = await findPlaces(tx, search, { placeOf, keep: true })
  if (isRefusal(found)) throw new RefusedJob(found)
  return found
}

const ACCEPTED = `
  select a.balance, a.held, l.remaining as "keyLeft"
  from jobs j join accounts a on a.id = j.account_id left join key_allowances l on l.key_id = $3
  where j.account_id = $1 and j.id = $2`

/** The available credits if the job exists; null if it does not exist and never will; undefined if this is unknown. */
function recoverAcceptance(
  database: Database,
  call: AskingCall,
  { operation }: JobSpec,
  jobId: string,
): Promise<Balance | null | undefined> {
  const { actor, price } = operations[operation]
  const stage = price.stages[0]?.stage ?? null
  const lost = { ...call, operation, actor: stage ?? actor, stage }
  return recover(database, [lost], async () => {
    const { rows } = await database.query<Balance>(ACCEPTED, [call.accountId, jobId, call.keyId])
    return rows[0] ?? null
  })
}

/** The body of the 202, the first time and each time it is replayed. */
function receipt(jobId: string, type: JobSpec['type']): AcceptedJob {
  const stage = stageOf(type)
  return { job_id: jobId, status: 'queued', ...(stage && { stage }) }
}

function stageOf(type: JobSpec['type']): 'search' | null {
  return type === 'chained_search_detail' ? 'search' : null
}

/** The smallest of the account's credits, the key's limit, and the client's limit determines the refusal. */
function refuseCost(
  { balance, held, required, keyLeft = null }: Balance & { readonly required: number },
  { least, most = Number.POSITIVE_INFINITY }: HoldAsked,
  keyLimit: KeyAllowance | undefined,
): Refusal {
  // The account keeps one credit for reading the results. The limits keep none.
  const credits = { balance, held, keyLeft }
  if (most < least && most <= availableCredits(credits, 1)) return refuseAboveLimit(least, most)
  if (isKeyShort(credits, 1)) return refuseAboveKeyLimit(required - 1, keyLeft!, keyLimit)
  return refuseFor(
    'out_of_credits',
    'job',
    { required, available: availableCredits({ balance, held }) },
    { balance, held, required },
  )
}
