// Retracts the events that an undone import has caused, and sets the reported state of their watches back, in the transaction of the undo.
// It returns the charges to refund.
// Why: decisions/work/retracted-events.md

import { readImportFates } from '../../data/undo.ts'
import type { Queryable } from '../../infrastructure/database.ts'
import { eventIdOf, type LockedWatch } from './evaluate-snapshot.ts'
import type { HomeState } from './home-event.ts'
import type { Notify } from './notify.ts'
import { LOCKED_COLUMNS } from './report-changes.ts'
import { type ChainContext, type Transition, type UndoneChain, undoChain } from './undo-transitions.ts'

/** The charges of an account to refund: request ids of usage rows. */
export type ChargesByAccount = ReadonlyMap<string, readonly string[]>

export interface RetractedEvents {
  /** Retractions that were written. */
  readonly retracted: number
  /** Watches that got them. */
  readonly watches: number
  /** Also of watches that were deleted. */
  readonly charges: ChargesByAccount
}

// No watch reports the changes of the undo itself, or those of undone imports.
const REPORTED_LATER = `
  select distinct c.zpid from listing_changes c left join imports i on i.id = c.import_id
  where c.seq > (select position from watch_progress) and c.zpid = any ($1)
    and (i.id is null or (i.kind <> 'revert' and i.state <> 'reverted'))`

// No evaluation is under way while this row is locked, so each change of the import was either reported completely, or will be skipped.
const STOP_EVALUATIONS = 'select from watch_progress for update'

// In key order, as in every transaction that locks several watches.
const TOUCHED = `
  select distinct account_id as "accountId", watch_id as "watchId" from watch_transitions
  where imports @> array[$1::bigint] and undone_at is null order by 1, 2`

const LOCK = `select ${LOCKED_COLUMNS} from watches w where account_id = $1 and id = $2 for update of w`

const CHAINS = `
  select id, zpid, imports, after, was_status as "wasStatus", was_price as "wasPrice", was_left_at as "wasLeftAt", status, price,
    left_at as "leftAt", event_id as "eventId", request_id as "requestId", is_of_state as "isOfState"
  from watch_transitions t
  where account_id = $1 and watch_id = $2 and undone_at is null and zpid in (
    select zpid from watch_transitions
    where account_id = $1 and watch_id = $2 and imports @> array[$3::bigint] and undone_at is null)
  order by zpid, id`

interface TransitionRow extends Omit<Transition, 'was' | 'now'>, HomeState {
  readonly wasStatus: HomeState['status'] | null
  readonly wasPrice: number | null
  readonly wasLeftAt: Date | null
}

/**
 * Retracts the events of all watches, in a transaction that has set the import to `reverted`.
 *
 * @param left homes that the undo leaves as they are
 * @param notify writes the webhook events
 */
export async function undoEvents(
  tx: Queryable,
  importId: number,
  left: ReadonlySet<string>,
  notify: Notify,
): Promise<RetractedEvents> {
  await tx.query(STOP_EVALUATIONS)
  const { rows: later } = await tx.query<{ zpid: string }>(REPORTED_LATER, [[...left]])
  const reportedLater = new Set(later.map(({ zpid }) => zpid))
  const contextOf = (zpid: string) => ({
    importId,
    isRestored: !left.has(zpid),
    isReportedLater: reportedLater.has(zpid),
  })
  const { rows: touched } = await tx.query<{ accountId: string; watchId: string }>(TOUCHED, [importId])
  const charges = new Map<string, string[]>()
  let [retracted, watches] = [0, 0]
  for (const { accountId, watchId } of touched) {
    const { rows } = await tx.query<LockedWatch>(LOCK, [accountId, watchId])
    const chains = await undoWatch(tx, accountId, watchId, importId, contextOf)
    const undone = chains.flatMap((chain) => chain.undone)
    const known = charges.get(accountId) ?? []
    charges.set(accountId, known)
    for (const { requestId } of undone) if (requestId !== null) known.push(requestId)
    const [watch] = rows
    if (!watch) continue
    await goBack(tx, watch, chains)
    const count = await retract(tx, watch, undone)
    if (count === 0) continue
    await notify(tx, { changed: [watch], paused: [] })
    retracted += count
    watches += 1
  }
  return { retracted, watches, charges }
}

const UNDO = `
  update watch_transitions set undone_at = now() where account_id = $1 and watch_id = $2 and zpid = any ($3) and id = any ($4)`
const REBASE = `
  update watch_transitions t set was_status = n.status, was_price = n.price, was_left_at = n.left_at
  from unnest($3::text[], $4::bigint[], $5::text[], $6::float8[], $7::timestamptz[]) as n (zpid, id, status, price, left_at)
  where t.account_id = $1 and t.watch_id = $2 and t.zpid = n.zpid and t.id = n.id`

/** Takes back the transitions of a watch, which may be deleted. */
async function undoWatch(
  tx: Queryable,
  accountId: string,
  watchId: string,
  importId: number,
  contextOf: (zpid: string) => Omit<ChainContext, 'counts'>,
): Promise<readonly UndoneChain[]> {
  const { rows } = await tx.query<TransitionRow>(CHAINS, [accountId, watchId, importId])
  const fates = await readImportFates(tx, [...new Set(rows.flatMap(({ imports }) => imports))])
  const counts = (id: number) => (fates.get(id) ?? 'applied') === 'applied'
  const chains = [...Map.groupBy(rows.map(transitionOf), ({ zpid }) => zpid)].map(([zpid, transitions]) =>
    undoChain(transitions, { ...contextOf(zpid), counts }),
  )
  const undone = chains.flatMap((chain) => chain.undone)
  const rebased = chains.flatMap((chain) => chain.rebased)
  const key = [accountId, watchId]
  await tx.query(UNDO, [...key, undone.map(({ zpid }) => zpid), undone.map(({ id }) => id)])
  if (rebased.length > 0)
    await tx.query(REBASE, [
      ...key,
      rebased.map(({ zpid }) => zpid),
      rebased.map(({ id }) => id),
      rebased.map(({ was }) => was?.status ?? null),
      rebased.map(({ was }) => was?.price ?? null),
      rebased.map(({ was }) => was?.leftAt ?? null),
    ])
  return chains
}

function transitionOf({
  wasStatus,
  wasPrice,
  wasLeftAt,
  status,
  price,
  leftAt,
  ...row
}: TransitionRow): Transition {
  const was = wasStatus === null ? undefined : { status: wasStatus, price: wasPrice, leftAt: wasLeftAt }
  return { ...row, was, now: { status, price, leftAt } }
}

const FORGET_HOMES = 'delete from watch_homes where account_id = $1 and watch_id = $2 and zpid = any ($3)'
const SET_STATES = `
  update watch_homes h set status = n.status, price = n.price, left_at = n.left_at
  from unnest($3::text[], $4::text[], $5::float8[], $6::timestamptz[]) as n (zpid, status, price, left_at)
  where h.account_id = $1 and h.watch_id = $2 and h.zpid = n.zpid`
// The watch is compared with the data set as soon as its interval permits, from before the changes that it reports anew.
const COMPARE = `
  update watches set is_current = false,
    position = least($3, case when is_current then greatest(position, (select position from watch_progress)) else position end),
    due_at = case when every = 'change' then now() else due_at end
  where account_id = $1 and id = $2`

async function goBack(
  tx: Queryable,
  { accountId, id }: LockedWatch,
  chains: readonly UndoneChain[],
): Promise<void> {
  const states = chains.flatMap(({ undone, state }) =>
    state ? [{ zpid: undone[0]!.zpid, to: state.to }] : [],
  )
  const unknown = states.filter(({ to }) => to === undefined).map(({ zpid }) => zpid)
  const known = states.flatMap(({ zpid, to }) => (to ? [{ zpid, ...to }] : []))
  if (unknown.length > 0) await tx.query(FORGET_HOMES, [accountId, id, unknown])
  if (known.length > 0)
    await tx.query(SET_STATES, [
      accountId,
      id,
      known.map(({ zpid }) => zpid),
      known.map(({ status }) => status),
      known.map(({ price }) => price),
      known.map(({ leftAt }) => leftAt),
    ])
  const positions = chains.flatMap(({ compareAfter }) => compareAfter ?? [])
  if (positions.length > 0) await tx.query(COMPARE, [accountId, id, Math.min(...positions)])
}

const INSERT_EVENTS = `
  insert into watch_events (account_id, watch_id, seq, id, type, zpid, observed_at, body, metadata)
    select w.account_id, w.id, n.seq, n.id, 'listing.retracted', n.zpid, now(), n.body, w.metadata
    from unnest($3::bigint[], $4::text[], $5::text[], $6::text[]) as n (seq, id, zpid, body), watches w
    where w.account_id = $1 and w.id = $2`
const COUNT_ON = 'update watches set last_seq = $3 where account_id = $1 and id = $2'

/** Writes a retraction for each event, whatever types the watch reports, and also if it is paused. Returns their number. */
async function retract(
  tx: Queryable,
  { accountId, id, lastSeq }: LockedWatch,
  undone: readonly Transition[],
): Promise<number> {
  const reported = undone.filter(({ eventId }) => eventId !== null)
  if (reported.length === 0) return 0
  const seqs = reported.map((_, at) => lastSeq + at + 1)
  await tx.query(INSERT_EVENTS, [
    accountId,
    id,
    seqs,
    seqs.map((seq) => eventIdOf(id, seq)),
    reported.map(({ zpid }) => zpid),
    reported.map((one) => JSON.stringify(bodyOf(one))),
  ])
  await tx.query(COUNT_ON, [accountId, id, seqs.at(-1)])
  return reported.length
}

/** The facts of the retracted event as `previous`, and those before it, which hold again, as `current`. */
function bodyOf({ was, now, eventId }: Transition) {
  const isIn = (state: HomeState | undefined) => state !== undefined && state.leftAt === null
  const hasOtherStatus = was !== undefined && was.status !== now.status
  const hasOtherPrice =
    was !== undefined && was.price !== null && now.price !== null && was.price !== now.price
  const factsOf = ({ status, price }: HomeState) => ({
    ...(hasOtherStatus && { status }),
    ...(hasOtherPrice && { price }),
  })
  return {
    changed: [
      ...(isIn(was) === isIn(now) ? [] : ['presence']),
      ...(hasOtherStatus ? ['status'] : []),
      ...(hasOtherPrice ? ['price'] : []),
    ],
    previous: factsOf(now),
    current: was ? factsOf(was) : {},
    retracts: eventId,
    source_updated_at: null,
  }
}

const EVENTS_OF_IMPORT = `
  select account_id as "accountId", imports, request_id as "requestId" from watch_transitions
  where imports @> array[$1::bigint] and request_id is not null order by account_id, request_id`

/** The charges of all events that an import has caused, and no other import that still counts. Nothing is retracted. */
export async function findCharges(database: Queryable, importId: number): Promise<ChargesByAccount> {
  const { rows } = await database.query<{ accountId: string; imports: number[]; requestId: string }>(
    EVENTS_OF_IMPORT,
    [importId],
  )
  const fates = await readImportFates(database, [...new Set(rows.flatMap(({ imports }) => imports))])
  const isOther = (id: number) => id !== importId && (fates.get(id) ?? 'applied') === 'applied'
  const pure = rows.filter(({ imports }) => !imports.some(isOther))
  return new Map(
    [...Map.groupBy(pure, ({ accountId }) => accountId)].map(([accountId, events]) => [
      accountId,
      events.map(({ requestId }) => requestId),
    ]),
  )
}
