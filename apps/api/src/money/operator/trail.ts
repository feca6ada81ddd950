// The trail of operator actions. For each change it has the operator, the time, and the state before and after. The command and the
// console write to it, in the transaction of the change. A row is never changed or removed: the service's role may only add rows.
// Why: decisions/money/trail-in-the-transaction.md
// Why: decisions/money/name-of-the-operator.md

import {
  type Database,
  joinTransaction,
  type Queryable,
  type TransactionOptions,
} from '../../infrastructure/database.ts'
import type { OperatorRole } from './roles.ts'

/** The operator who acts. */
export interface Operator {
  /** 1 to 200 characters. */
  readonly name: string
  readonly via: 'command' | 'console'
  /** UUID of the form of the console that was sent. A form that is sent twice is one change. */
  readonly form?: string
  /** How the operator had signed in to the console. */
  readonly signIn?: 'link' | 'passkey'
  /** Of a named operator in the console. */
  readonly operatorId?: string | undefined
  /** Of an operator in the console. The command has no roles. */
  readonly role?: OperatorRole
  /** The name of the second person who approved the change. */
  readonly approvedBy?: string
}

/** The action to record. It must not contain a secret. */
export interface TrailAction {
  /** The group and the verb of the command that does the same, such as `accounts.suspend`. */
  readonly action: string
  readonly accountId?: string | undefined
  /** The changed object, by id or name, if it is not the account. */
  readonly object?: string | undefined
  /** The state before the action as JSON. Absent if the object did not exist. */
  readonly before?: object | undefined
  /** The state after the action as JSON. Absent if the object no longer exists. */
  readonly after?: object | undefined
}

/** Whether the form of the operator was sent before, and its change made. */
export async function wasFormSent(database: Queryable, { form }: Operator): Promise<boolean> {
  if (form === undefined) return false
  const { rowCount } = await database.query('select from operator_actions where form_id = $1', [form])
  return rowCount > 0
}

/** Thrown, so that the transaction is rolled back: the change was made with the first sending of the form. */
export class FormAlreadySent extends Error {
  override readonly name = 'FormAlreadySent'
}

// A second sending at the same time waits here for the first one to be committed.
const INSERT_TRAIL_ENTRY = `
  insert into operator_actions (operator, via, action, account_id, object, before, after, form_id, sign_in)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (form_id) do nothing`

/**
 * Writes an action into the trail, in the transaction of the change.
 *
 * @throws {FormWasSent} if the operator's form was sent before
 */
export async function recordAction(tx: Queryable, operator: Operator, action: TrailAction): Promise<void> {
  const { action: name, accountId, object, before, after } = action
  const { rowCount } = await tx.query(INSERT_TRAIL_ENTRY, [
    operator.name,
    operator.via,
    name,
    accountId ?? null,
    object ?? null,
    before ? JSON.stringify(before) : null,
    after ? JSON.stringify(after) : null,
    operator.form ?? null,
    operator.signIn ?? null,
  ])
  if (rowCount === 0) throw new FormAlreadySent('This form was sent before.')
}

/** A change by an operator, under way. */
export interface TrackedChange {
  /** Functions that begin a transaction join that of the change. */
  readonly database: Database
  /** Writes the action into the trail, unless it left everything as it was: `before` and `after` are given and the same. */
  note(action: TrailAction): Promise<void>
}

/** Makes a change and writes it into the trail: both, or neither if `work` throws. */
export function runAsOperator<T>(
  database: Database,
  operator: Operator,
  work: (change: TrackedChange) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  return database.transaction(
    (tx) =>
      work({
        database: joinTransaction(database, tx),
        note: async (action) => {
          if (changesSomething(action)) await recordAction(tx, operator, action)
        },
      }),
    options,
  )
}

function changesSomething({ before, after }: TrailAction): boolean {
  return !before || !after || JSON.stringify(before) !== JSON.stringify(after)
}

/** A row of the trail. */
export interface TrailEntry {
  readonly id: number
  readonly at: Date
  readonly operator: string
  readonly via: 'command' | 'console'
  /** How the operator had signed in to the console. */
  readonly sign_in: 'link' | 'passkey' | null
  readonly action: string
  readonly account_id: string | null
  readonly object: string | null
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

export interface TrailFilter {
  readonly account?: string | undefined
  /** Only entries before this one, for the next page. */
  readonly beforeId?: number | undefined
  readonly limit: number
}

/** The last entry of an action. */
export async function findLastAction(database: Queryable, action: string): Promise<TrailEntry | undefined> {
  const { rows } = await database.query<TrailEntry>(
    `select id, at, operator, via, sign_in, action, account_id, object, before, after from operator_actions
     where action = $1 order by id desc limit 1`,
    [action],
  )
  return rows[0]
}

/** The latest first. */
export async function readTrail(database: Queryable, filter: TrailFilter): Promise<TrailEntry[]> {
  const { rows } = await database.query<TrailEntry>(
    `select id, at, operator, via, sign_in, action, account_id, object, before, after from operator_actions
     where ($1::uuid is null or account_id = $1) and ($2::bigint is null or id < $2)
     order by id desc limit $3`,
    [filter.account ?? null, filter.beforeId ?? null, filter.limit],
  )
  return rows
}
