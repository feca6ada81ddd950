// How the console can be entered: whether it is locked, whether the shared sign-in by link works, and from how many credits on a change
// needs a second person. One row, which each request of the console reads: a change counts in all processes with their next request.

import {
  type ConsoleAccessState,
  type Database,
  type Queryable,
  writeToJournal,
} from '../../infrastructure/database.ts'
import { type EndedSession, endConsoleSessions } from '../accounts/end-sessions.ts'
import { withdrawConsoleLinks } from '../accounts/sign-in.ts'
import { type Operator, runAsOperator } from './trail.ts'

export interface ConsoleAccess {
  /** null: the console is open. */
  readonly lockedAt: Date | null
  /** Whether links of the shared sign-in work. They always do while there are no named operators. */
  readonly hasSharedSignIn: boolean
  readonly hasOperators: boolean
  /** A change of a balance by more credits needs a second person. null: none does. */
  readonly creditLimit: number | null
}

const READ = `
  select locked_at as "lockedAt", credit_limit as "creditLimit", exists (select from operators) as "hasOperators",
    has_shared_sign_in or not exists (select from operators) as "hasSharedSignIn"
  from console_access`

export async function readConsoleAccess(database: Queryable): Promise<ConsoleAccess> {
  const { rows } = await database.query<ConsoleAccess>(READ)
  return rows[0]!
}

/**
 * Reads how the console can be entered, and keeps it so until the transaction ends. A sign-in that began before a lock is therefore
 * committed before it, and ended by it.
 */
export async function holdConsoleAccess(tx: Queryable): Promise<ConsoleAccess> {
  await tx.query('select from console_access for share')
  return readConsoleAccess(tx)
}

/** Keeps sign-ins and other changes of the access waiting until the transaction ends. */
export async function reserveConsoleAccess(tx: Queryable): Promise<ConsoleAccess> {
  await tx.query('select from console_access for update')
  return readConsoleAccess(tx)
}

/** A restore must not open what was closed. */
async function journalAccess(tx: Queryable): Promise<void> {
  const { rows } = await tx.query<ConsoleAccessState>(
    'select locked_at is not null as is_locked, has_shared_sign_in from console_access',
  )
  await writeToJournal(tx, [{ kind: 'console_access_set', ...rows[0]! }])
}

/**
 * Locks the console: ends all its sessions, invalidates all its links, and admits no operator until it is unlocked. Returns the ended
 * sessions; none if it was locked before.
 */
export function lockConsole(database: Database, operator: Operator): Promise<EndedSession[]> {
  return runAsOperator(database, operator, async (change) => {
    const { lockedAt } = await reserveConsoleAccess(change.database)
    if (lockedAt !== null) return []
    await change.database.query('update console_access set locked_at = now()')
    await journalAccess(change.database)
    await withdrawConsoleLinks(change.database)
    const ended = await endConsoleSessions(change.database, 'all')
    await change.note({ action: 'console.lock', after: { ended_sessions: ended.length } })
    return ended
  })
}

/** Admits operators again. Sessions and links from before the lock stay ended. Returns false if the console was not locked. */
export function unlockConsole(database: Database, operator: Operator): Promise<boolean> {
  return runAsOperator(database, operator, async (change) => {
    const { lockedAt } = await reserveConsoleAccess(change.database)
    if (lockedAt === null) return false
    await change.database.query('update console_access set locked_at = null')
    await journalAccess(change.database)
    await change.note({ action: 'console.unlock', before: { locked_at: lockedAt } })
    return true
  })
}

export type SharedSignInChange =
  | { readonly done: true; readonly ended: readonly EndedSession[] }
  | { readonly done: false; readonly because: 'no owner with a passkey' }

/** Turns the shared sign-in on or off. Turning it off ends its sessions, and needs an owner who can sign in with a passkey. */
export function setSharedSignIn(
  database: Database,
  operator: Operator,
  isOn: boolean,
): Promise<SharedSignInChange> {
  return runAsOperator(database, operator, async (change): Promise<SharedSignInChange> => {
    const { rows } = await change.database.query<{ isOn: boolean }>(
      'select has_shared_sign_in as "isOn" from console_access for update',
    )
    if (!isOn && !(await hasOwnerWithPasskey(change.database)))
      return { done: false, because: 'no owner with a passkey' }
    await change.database.query('update console_access set has_shared_sign_in = $1', [isOn])
    await journalAccess(change.database)
    const ended = isOn ? [] : await endConsoleSessions(change.database, 'shared')
    await change.note({
      action: 'operators.shared-sign-in',
      before: { shared_sign_in: rows[0]!.isOn },
      after: { shared_sign_in: isOn },
    })
    return { done: true, ended }
  })
}

/** Whether an owner can sign in without the shared sign-in. @param without the id of an operator who is not counted */
export async function hasOwnerWithPasskey(tx: Queryable, without?: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from operators o where role = 'owner' and id is distinct from $1
       and exists (select from operator_passkeys where operator_id = o.id) limit 1`,
    [without ?? null],
  )
  return rowCount > 0
}

/** @param limit whole credits; null: no change needs a second person. Returns the limit before. */
export function setCreditLimit(
  database: Database,
  operator: Operator,
  limit: number | null,
): Promise<number | null> {
  return runAsOperator(database, operator, async (change) => {
    const { creditLimit } = await reserveConsoleAccess(change.database)
    await change.database.query('update console_access set credit_limit = $1', [limit])
    await change.note({
      action: 'operators.credit-limit',
      before: { credit_limit: creditLimit },
      after: { credit_limit: limit },
    })
    return creditLimit
  })
}
