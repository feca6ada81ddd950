// Named operators: each has a role, and signs in with passkeys of his own. An operator who is removed, or gets another role, is signed out.

import { type Database, type Queryable, writeToJournal } from '../../infrastructure/database.ts'
import { type EndedSession, endConsoleSessions } from '../accounts/end-sessions.ts'
import { createLink, type OneTimeLink } from '../accounts/sign-in.ts'
import { hasOwnerWithPasskey, reserveConsoleAccess } from './console-access.ts'
import { type OperatorRole, SHARED_OPERATOR } from './roles.ts'
import { type Operator, runAsOperator } from './trail.ts'

/** Lifetime of a link that makes a passkey. */
export const ENROLLMENT_MINUTES = 60

export interface NamedOperator {
  readonly id: string
  readonly name: string
  readonly role: OperatorRole
  readonly createdAt: Date
  readonly passkeys: number
  /** Of the last sign-in with a passkey. */
  readonly lastSignIn: Date | null
}

const OPERATORS = `
  select o.id, o.name, o.role, o.created_at as "createdAt", count(p.id)::integer as passkeys,
    max(p.last_used_at) as "lastSignIn"
  from operators o left join operator_passkeys p on p.operator_id = o.id`

/** In alphabetical order. */
export async function listOperators(database: Queryable): Promise<NamedOperator[]> {
  const { rows } = await database.query<NamedOperator>(`${OPERATORS} group by o.id order by lower(o.name)`)
  return rows
}

/** @param name in any case */
export async function findOperator(database: Queryable, name: string): Promise<NamedOperator | undefined> {
  const { rows } = await database.query<NamedOperator>(
    `${OPERATORS} where lower(o.name) = lower($1) group by o.id`,
    [name],
  )
  return rows[0]
}

export type OperatorRefusal = 'unknown' | 'taken' | 'reserved' | 'last owner'
export type OperatorChange<T> =
  | { readonly done: true; readonly value: T }
  | { readonly done: false; readonly because: OperatorRefusal }

/** A link at which a named operator makes a passkey. */
export interface Enrollment {
  readonly named: NamedOperator
  readonly link: OneTimeLink
}

/** Adds an operator, and makes the link for his first passkey. */
export function addOperator(
  database: Database,
  operator: Operator,
  name: string,
  role: OperatorRole,
): Promise<OperatorChange<Enrollment>> {
  return runAsOperator(database, operator, async (change): Promise<OperatorChange<Enrollment>> => {
    if (name.toLowerCase() === SHARED_OPERATOR) return { done: false, because: 'reserved' }
    await reserveConsoleAccess(change.database)
    if (await findOperator(change.database, name)) return { done: false, because: 'taken' }
    await change.database.query('insert into operators (name, role) values ($1, $2)', [name, role])
    const named = (await findOperator(change.database, name))!
    await change.note({ action: 'operators.add', object: name, after: { role } })
    return { done: true, value: { named, link: await createEnrollment(change.database, named) } }
  })
}

/** Makes a link for a further passkey. Passkeys that the operator has continue to work. */
export function linkOperator(
  database: Database,
  operator: Operator,
  name: string,
): Promise<OperatorChange<Enrollment>> {
  return runAsOperator(database, operator, async (change): Promise<OperatorChange<Enrollment>> => {
    const named = await findOperator(change.database, name)
    if (!named) return { done: false, because: 'unknown' }
    await change.note({ action: 'operators.link', object: named.name })
    return { done: true, value: { named, link: await createEnrollment(change.database, named) } }
  })
}

function createEnrollment(tx: Queryable, { id }: NamedOperator): Promise<OneTimeLink> {
  return createLink(tx, 'enrollment', { operatorId: id }, ENROLLMENT_MINUTES)
}

export interface ChangedOperator {
  readonly named: NamedOperator
  readonly ended: readonly EndedSession[]
}

/** Removes an operator with his passkeys and sessions. The trail keeps his name. */
export function removeOperator(
  database: Database,
  operator: Operator,
  name: string,
): Promise<OperatorChange<ChangedOperator>> {
  return changeOperator(database, name, operator, 'operators.remove', async (tx, { id }) => {
    await tx.query('delete from operators where id = $1', [id])
    await writeToJournal(tx, [{ kind: 'operator_removed', operator: id }])
    return undefined
  })
}

/** Gives an operator another role. He signs in again to use it. */
export function setRole(
  database: Database,
  operator: Operator,
  name: string,
  role: OperatorRole,
): Promise<OperatorChange<ChangedOperator>> {
  return changeOperator(database, name, operator, 'operators.role', async (tx, { id }) => {
    await tx.query('update operators set role = $2 where id = $1', [id, role])
    await writeToJournal(tx, [{ kind: 'operator_role_set', operator: id, role }])
    return { role }
  })
}

/** @param work makes the change, and returns what the operator is then; undefined: he no longer exists */
function changeOperator(
  database: Database,
  name: string,
  operator: Operator,
  action: string,
  work: (tx: Queryable, named: NamedOperator) => Promise<{ readonly role: OperatorRole } | undefined>,
): Promise<OperatorChange<ChangedOperator>> {
  return runAsOperator(database, operator, async (change): Promise<OperatorChange<ChangedOperator>> => {
    const tx = change.database
    // Sign-ins wait, so that none begins with the role that ends here.
    await reserveConsoleAccess(tx)
    const named = await findOperator(tx, name)
    if (!named) return { done: false, because: 'unknown' }
    if (await isLastWayIn(tx, named)) return { done: false, because: 'last owner' }
    const ended = await endConsoleSessions(tx, { operatorId: named.id })
    const after = await work(tx, named)
    await change.note({
      action,
      object: named.name,
      before: { role: named.role },
      ...(after && { after }),
    })
    return { done: true, value: { named, ended } }
  })
}

/** Whether this operator is the only one who could sign in as an owner. */
async function isLastWayIn(tx: Queryable, { id, role }: NamedOperator): Promise<boolean> {
  if (role !== 'owner') return false
  const { rows } = await tx.query<{ isOn: boolean }>(
    'select has_shared_sign_in as "isOn" from console_access',
  )
  return !rows[0]!.isOn && !(await hasOwnerWithPasskey(tx, id))
}
