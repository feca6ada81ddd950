// Reduces the entries of the safety journal to the last state of each key, account, and home, and to what was created. The state alone
// counts, so an entry from before the backup changes nothing: the backup has that state, or a later entry has another one.

import type { JournalEntry } from './journal-files.ts'
import type { ConsoleAccessState } from './write-journal.ts'

/** The last state of a home: `removed` and `withheld` are independent of each other. */
export interface JournaledHome {
  removed?: boolean
  /** false: nothing of it is withheld. */
  withheld?: 'address' | 'listing' | false
}

export interface JournaledCredits {
  readonly account: string
  /** The id of the entry in the ledger. */
  readonly movement: number
  /** The kind of the operator's entry. */
  readonly by: string
  /** Change of the balance. */
  readonly credits: number
}

export interface JournaledOrder {
  readonly account: string
  readonly credits: number
  readonly state: string
}

export interface FoldedJournal {
  /** Revoked keys: the earliest time of revocation, in ISO 8601. */
  readonly revokedKeys: Map<string, string>
  readonly accountStatuses: Map<string, 'active' | 'suspended'>
  /** The last role of each operator that was changed, by id. null: he was removed. */
  readonly operatorRoles: Map<string, string | null>
  /** The last state. undefined: the journal has none. */
  consoleAccess: ConsoleAccessState | undefined
  readonly homes: Map<string, JournaledHome>
  /** The account of each key that was created. */
  readonly createdKeys: Map<string, string>
  readonly createdAccounts: Set<string>
  readonly orders: Map<string, JournaledOrder>
  /** By account and entry of the ledger. */
  readonly credits: Map<string, JournaledCredits>
  /** Kinds that this version of Lotline does not know, with their counts. They have no effect. */
  readonly unknownKinds: Map<string, number>
}

interface Facts extends JournalEntry, ConsoleAccessState {
  readonly key: string
  readonly account: string
  readonly revoked_at: string
  readonly zpids: readonly string[]
  readonly order: string
  readonly credits: number
  readonly state: string
  readonly movement: number
  readonly by: string
  readonly operator: string
  readonly role: string
}

type Step = (folded: FoldedJournal, facts: Facts) => void

const home =
  (change: JournaledHome): Step =>
  ({ homes }, { zpids }) => {
    for (const zpid of zpids) homes.set(zpid, { ...homes.get(zpid), ...change })
  }

const order: Step = ({ orders }, { order, account, credits, state }) =>
  orders.set(order, { account, credits, state })

const STEPS: Readonly<Record<string, Step>> = {
  database_begun() {},
  key_created: ({ createdKeys }, { key, account }) => createdKeys.set(key, account),
  key_revoked({ revokedKeys }, { key, revoked_at }) {
    const before = revokedKeys.get(key)
    if (before === undefined || Date.parse(revoked_at) < Date.parse(before)) revokedKeys.set(key, revoked_at)
  },
  account_created: ({ createdAccounts }, { account }) => createdAccounts.add(account),
  account_suspended: ({ accountStatuses }, { account }) => accountStatuses.set(account, 'suspended'),
  account_resumed: ({ accountStatuses }, { account }) => accountStatuses.set(account, 'active'),
  operator_removed: ({ operatorRoles }, { operator }) => operatorRoles.set(operator, null),
  operator_role_set: ({ operatorRoles }, { operator, role }) => operatorRoles.set(operator, role),
  console_access_set(folded, { is_locked, has_shared_sign_in }) {
    folded.consoleAccess = { is_locked, has_shared_sign_in }
  },
  homes_removed: home({ removed: true }),
  homes_returned: home({ removed: false, withheld: false }),
  homes_withheld: home({ withheld: 'listing' }),
  addresses_withheld: home({ withheld: 'address' }),
  addresses_shown: home({ withheld: false }),
  order_placed: order,
  order_closed: order,
  credits_changed: ({ credits: all }, { account, movement, by, credits }) =>
    all.set(`${account} ${movement}`, { account, movement, by, credits }),
}

/**
 * Folds the entries of a database and of the databases that were restored from it.
 *
 * @param era the database of which the backup was made. undefined: the backup does not say, so all entries count.
 */
export function foldJournal(entries: readonly JournalEntry[], era: string | undefined): FoldedJournal {
  const folded: FoldedJournal = {
    revokedKeys: new Map(),
    accountStatuses: new Map(),
    operatorRoles: new Map(),
    consoleAccess: undefined,
    homes: new Map(),
    createdKeys: new Map(),
    createdAccounts: new Set(),
    orders: new Map(),
    credits: new Map(),
    unknownKinds: new Map(),
  }
  for (const entry of inOrder(entries, era)) {
    const step = STEPS[entry.kind]
    if (step) step(folded, entry as Facts)
    else folded.unknownKinds.set(entry.kind, (folded.unknownKinds.get(entry.kind) ?? 0) + 1)
  }
  return folded
}

/** Each entry once: the databases in the order in which they began, the entries of each by their numbers. */
function inOrder(entries: readonly JournalEntry[], era: string | undefined): JournalEntry[] {
  const eras = new Map<string, Map<number, JournalEntry>>()
  for (const entry of entries) {
    const ofEra = eras.get(entry.era) ?? new Map<number, JournalEntry>()
    eras.set(entry.era, ofEra.set(entry.id, entry))
  }
  const isMeant = descendantsOf(entries, era)
  return [...eras]
    .filter(([one]) => isMeant(one))
    .map(([, ofEra]) => [...ofEra.values()].sort((a, b) => a.id - b.id))
    .sort(([a], [b]) => Date.parse(a!.at) - Date.parse(b!.at))
    .flat()
}

/** Whether a database is the one of the backup, or was restored from it, directly or not. */
function descendantsOf(entries: readonly JournalEntry[], era: string | undefined): (era: string) => boolean {
  if (era === undefined) return () => true
  const origins = new Map<string, string>()
  for (const { kind, era: restored, restored_from: origin } of entries)
    if (kind === 'database_begun' && typeof origin === 'string') origins.set(restored, origin)
  return (one) => {
    const seen = new Set<string>()
    for (let at: string | undefined = one; at !== undefined && !seen.has(at); at = origins.get(at)) {
      if (at === era) return true
      seen.add(at)
    }
    return false
  }
}
