// The limit above which a change of credits needs a second person. The change is undone, and kept until another operator approves it
// (approve-credits.ts). It counts for commands and for the console, while there are named operators: with the shared sign-in alone there
// is no second person.

// Why: decisions/money/credits-need-a-second-person.md

import { type Database, joinTransaction, type Queryable } from '../../infrastructure/database.ts'
import { readConsoleAccess } from './console-access.ts'
import type { Operator, TrackedChange, TrailAction } from './trail.ts'

/** Changes of credits that can wait for a second person, named as their commands. */
export type CreditAction =
  | 'credits.topup'
  | 'credits.adjust'
  | 'credits.refund'
  | 'accounts.set-plan'
  | 'purchases.approve'

/** A change of credits that waits for a second person. */
export interface PendingCredits {
  readonly id: string
  readonly accountId: string
  readonly action: CreditAction
  /** The change of the balance, or of the credits of each cycle, as of the request. */
  readonly credits: number
  /** The arguments of the action. */
  readonly request: Readonly<Record<string, unknown>>
  /** The name of the operator who asked. */
  readonly operator: string
  readonly via: Operator['via']
  /** null: asked for by a command or by the shared sign-in. */
  readonly operatorId: string | null
  readonly createdAt: Date
}

/** Nothing was changed: the change waits for a second person. */
export interface WaitsForApproval {
  readonly pending: PendingCredits
}

export function waitsForApproval(result: unknown): result is WaitsForApproval {
  return typeof result === 'object' && result !== null && 'pending' in result
}

/**
 * The most credits that the operator may move alone. undefined: any number. Support without a limit may move none.
 */
export async function creditLimitOf(tx: Queryable, operator: Operator): Promise<number | undefined> {
  if (operator.approvedBy !== undefined) return undefined
  const { creditLimit, hasOperators } = await readConsoleAccess(tx)
  if (!hasOperators) return undefined
  return creditLimit ?? (operator.role === 'support' ? 0 : undefined)
}

/** A change whose credits are known once it is made. */
export interface MadeChange<T> {
  readonly result: T
  /** How many credits it moved, with or without a sign. */
  readonly credits: number
  readonly accountId: string
  /** Absent: nothing was changed. */
  readonly action?: TrailAction | undefined
}

interface AskedChange {
  readonly database: Database
  readonly operator: Operator
  readonly action: CreditAction
  /** All that is needed to make the change later. It is the same for the same command. */
  readonly request: Readonly<Record<string, unknown>>
}

/** Makes a change of credits and writes it into the trail; or undoes it and keeps it, if it needs a second person. */
export async function changeCredits<T>(
  change: TrackedChange,
  { database, operator, action, request }: AskedChange,
  work: (database: Database) => Promise<MadeChange<T>>,
): Promise<T | WaitsForApproval> {
  const limit = await creditLimitOf(change.database, operator)
  try {
    // A transaction in that of the change, so that it can be undone alone.
    return await change.database.transaction(async (tx) => {
      const made = await work(joinTransaction(database, tx))
      if (limit !== undefined && Math.abs(made.credits) > limit) throw new AboveLimit(made)
      if (made.action) await change.note(made.action)
      return made.result
    })
  } catch (error) {
    if (!(error instanceof AboveLimit)) throw error
    const { accountId, credits } = error.made
    const pending = await keepPending(change.database, { accountId, action, credits, request, operator })
    if (pending.isNew)
      await change.note({
        action: 'credits.request',
        accountId,
        object: pending.id,
        after: { action, credits, ...request },
      })
    return { pending }
  }
}

class AboveLimit extends Error {
  override readonly name = 'AboveLimit'
  readonly made: MadeChange<unknown>

  constructor(made: MadeChange<unknown>) {
    super('The change needs a second person.')
    this.made = made
  }
}

const COLUMNS = `id, account_id as "accountId", action, credits, request, operator, via, operator_id as "operatorId",
  created_at as "createdAt"`

async function keepPending(
  tx: Queryable,
  asked: Pick<PendingCredits, 'accountId' | 'action' | 'credits' | 'request'> & {
    readonly operator: Operator
  },
): Promise<PendingCredits & { readonly isNew: boolean }> {
  const { accountId, action, credits, request, operator } = asked
  const { rows } = await tx.query<PendingCredits & { readonly isNew: boolean }>(
    // The row that is there is "updated" without a change, so that it is returned.
    `insert into pending_credits (account_id, action, credits, request, operator, via, operator_id)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (account_id, action, request) where state = 'open' do update set credits = pending_credits.credits
     returning ${COLUMNS}, xmax = 0 as "isNew"`,
    [
      accountId,
      action,
      credits,
      JSON.stringify(request),
      operator.name,
      operator.via,
      operator.operatorId ?? null,
    ],
  )
  return rows[0]!
}

/** Changes that wait for a second person, the oldest first. */
export async function listPendingCredits(database: Queryable, limit: number): Promise<PendingCredits[]> {
  const { rows } = await database.query<PendingCredits>(
    `select ${COLUMNS} from pending_credits where state = 'open' order by created_at, id limit $1`,
    [limit],
  )
  return rows
}

/** Locks a change that waits. undefined: there is none with this id, or it was decided. */
export async function lockPendingCredits(tx: Queryable, id: string): Promise<PendingCredits | undefined> {
  const { rows } = await tx.query<PendingCredits>(
    `select ${COLUMNS} from pending_credits where id = $1 and state = 'open' for update`,
    [id],
  )
  return rows[0]
}

/** Ends the wait of a locked change. */
export async function closePendingCredits(
  tx: Queryable,
  id: string,
  { state, operator }: { readonly state: 'approved' | 'refused'; readonly operator: Operator },
): Promise<void> {
  await tx.query('update pending_credits set state = $2, decided_by = $3, decided_at = now() where id = $1', [
    id,
    state,
    operator.name,
  ])
}
