// Credits that an operator adds or removes, with the operator's name, the reason, and the reference of a payment. The movement
// and its explanation are written in one transaction. A reference, and the refund of a call, count once per account, however
// often the command is repeated.

import type { Database, Queryable } from '../../infrastructure/database.ts'
import { type Adjustment, adjustCredits } from './adjust.ts'
import type { Balance } from './ledger.ts'

/** The operator of an entry, and the reason. */
export interface OperatorNote {
  readonly operator: string
  readonly reason?: string | undefined
  /** The operator's reference of a payment, 1 to 200 characters, unique in the account. */
  readonly reference?: string | undefined
}

interface EntryKind {
  /** plan: the grant of a purchased plan. */
  readonly kind: 'topup' | 'adjust' | 'refund' | 'plan'
  readonly requestId?: string
}

/** Explains the latest movement of the account. Call it in the transaction that wrote the movement. */
export async function recordEntry(
  tx: Queryable,
  accountId: string,
  { kind, requestId }: EntryKind,
  { operator, reason, reference }: OperatorNote,
): Promise<void> {
  await tx.query('select note_operator_entry($1, $2, $3, $4, $5, $6)', [
    accountId,
    kind,
    reference ?? null,
    requestId ?? null,
    reason ?? null,
    operator,
  ])
}

export interface EarlierEntry {
  /** Credits. */
  readonly amount: number
  readonly operator: string
  readonly at: Date
}

/** Finds the entry with this reference. Call it under the account's lock. */
export async function findReference(
  tx: Queryable,
  accountId: string,
  reference: string,
): Promise<EarlierEntry | undefined> {
  const { rows } = await tx.query<EarlierEntry>(
    'select amount, operator, created_at as at from operator_entries where account_id = $1 and reference = $2',
    [accountId, reference],
  )
  return rows[0]
}

/** An adjustment (adjust.ts) with the operator's name. */
export function adjustAsOperator(
  database: Database,
  accountId: string,
  amount: number,
  note: OperatorNote & { readonly reason: string },
): Promise<Adjustment> {
  return database.transaction(async (tx) => {
    const adjustment = await adjustCredits(tx, accountId, amount, note.reason)
    if (adjustment.adjusted) await recordEntry(tx, accountId, { kind: 'adjust' }, note)
    return adjustment
  })
}

export type Refund =
  | ({ readonly refunded: number; readonly before?: undefined } & Balance)
  /** The call was refunded earlier. Nothing was changed. */
  | { readonly refunded: 0; readonly before: EarlierEntry }
  | { readonly refunded: 0; readonly because: 'no such account' | 'no such call' | 'was free' }

const LOCK_ACCOUNT_BALANCE = 'select balance, held from accounts where id = $1 for no key update'
const SUM_REFUNDED =
  'select amount, operator, created_at as at from operator_entries where account_id = $1 and request_id = $2'
// A request id begins with its time, by which the index finds its row. Clocks may differ.
const FIND_CHARGE = `
  select count(*)::integer as calls, coalesce(sum(credits_charged), 0)::bigint as charged from usage_rows
  where account_id = $1 and request_id = $2
    and created_at between $3::timestamptz - interval '1 day' and $3::timestamptz + interval '1 day'`

/**
 * Refunds the charge of a call, with all its stages, once. Refunded credits carry over and are spent last, like a top-up.
 *
 * @param requestId `req_` and 26 characters, as in the response
 */
export function refundCall(
  database: Database,
  accountId: string,
  requestId: string,
  note: OperatorNote & { readonly reason: string },
): Promise<Refund> {
  return database.transaction(async (tx): Promise<Refund> => {
    const accounts = await tx.query<Balance>(LOCK_ACCOUNT_BALANCE, [accountId])
    if (!accounts.rows[0]) return { refunded: 0, because: 'no such account' }
    const { rows: earlier } = await tx.query<EarlierEntry>(SUM_REFUNDED, [accountId, requestId])
    if (earlier[0]) return { refunded: 0, before: earlier[0] }
    const at = requestIdTime(requestId)
    const found = await tx.query<{ calls: number; charged: number }>(FIND_CHARGE, [accountId, requestId, at])
    const { calls, charged } = found.rows[0]!
    if (calls === 0) return { refunded: 0, because: 'no such call' }
    if (charged === 0) return { refunded: 0, because: 'was free' }
    const adjustment = await adjustCredits(tx, accountId, charged, `Refund of ${requestId}: ${note.reason}`)
    if (!adjustment.adjusted) throw new Error(`The refund of ${requestId} was refused: ${adjustment.because}`)
    await recordEntry(tx, accountId, { kind: 'refund', requestId }, note)
    return { refunded: charged, balance: adjustment.balance, held: adjustment.held }
  })
}

const CROCKFORD_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The time in a request id: the first 10 characters of a ULID are milliseconds since 1970. */
function requestIdTime(requestId: string): Date {
  const digits = [...requestId.slice('req_'.length, 'req_'.length + 10)]
  return new Date(digits.reduce((ms, digit) => ms * 32 + CROCKFORD_ALPHABET.indexOf(digit), 0))
}
