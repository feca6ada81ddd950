// The evaluator of watches: compares a snapshot of homes with the last reported state of a watch, and returns the events and the new state.
// Snapshots come from three sources: a step of the change log (report-step.ts), the whole data set (compare-watch.ts), and a complete
// search of a remote data source (scan.ts). They differ only in what the absence of a home means. The evaluator does no I/O.
// Why: decisions/work/one-evaluator-of-watches.md

import { createHash } from 'node:crypto'
import { type HomeEvent, type HomeState, judgeHome, type MinChange, type Observation } from './home-event.ts'
import type { Match } from './watch-store.ts'

/** The watch to evaluate; its row is locked. */
export interface LockedWatch {
  readonly accountId: string
  readonly id: string
  readonly keyId: string
  readonly events: readonly string[]
  readonly minChange: MinChange | null
  readonly lastSeq: number
  /** Whether its search also finds pending homes. */
  readonly findsPending: boolean
}

/** The changes of the log that led to what is observed of a home. */
export interface HomeCause {
  /** The imports that made these changes; 0 stands for changes that no import has made. */
  readonly imports: readonly number[]
  /** The position in the log before these changes. */
  readonly after: number
  /** The changes only undo an import. The state of the watch follows them, and nothing is reported. */
  readonly isUndo: boolean
}

/** A home in a snapshot. */
export interface ObservedHome {
  readonly zpid: string
  readonly observation: Observation
  readonly sourceUpdatedAt: Date | null
  /** The listing source or provider that has the home; null: none has it any more. */
  readonly source: string | null
  /** The home as JSON, from which its search row is built. */
  readonly summary: string | null
  /** undefined: a remote data source has no log. */
  readonly cause?: HomeCause
}

/** A partial snapshot: some homes, present or absent. It contains no information about other homes. */
export interface PartialSnapshot {
  readonly coverage: 'partial'
  /** Each home once, in report order. */
  readonly homes: readonly ObservedHome[]
}

/** A complete snapshot: all homes that the watch matches. Any other home is absent. */
export interface WholeSnapshot {
  readonly coverage: 'whole'
  readonly present: readonly Match[]
  /** False: the source may miss a home by mistake, so a home is absent only after two consecutive snapshots without it. */
  readonly isAbsenceCertain: boolean
  /** Data of homes whose presence, status, or price has changed. */
  observe(zpids: readonly string[]): Promise<readonly ObservedHome[]>
}

export interface ReportedHome extends HomeState {
  /** Whether an uncertain snapshot, the last one, did not contain it. */
  readonly missed?: boolean
}

/** The last reported state of a watch. */
export interface ReportedState {
  readonly homes: ReadonlyMap<string, ReportedHome>
  /** Without a baseline: the snapshot becomes the baseline, without events. */
  readonly isFirst: boolean
  /** Homes of the list without a baseline. */
  readonly unseen: readonly string[]
}

export interface StateWrite {
  readonly watch: LockedWatch
  readonly zpid: string
  /** The reported state before; undefined: the watch did not know the home. */
  readonly before: HomeState | undefined
  readonly state: HomeState
  readonly home: ObservedHome
}

export interface EventWrite extends StateWrite {
  readonly event: HomeEvent
  /** The event's number in the log of the watch. Repeating the evaluation gives the same number. */
  readonly seq: number
  /** `eventIdOf` the watch and the number. */
  readonly id: string
}

/** The result of an evaluation. */
export interface Evaluation {
  readonly watch: LockedWatch
  /** Events, in the order of the homes. */
  readonly events: readonly EventWrite[]
  /** State changes without an event. */
  readonly silent: readonly StateWrite[]
  /** Homes that get their baseline, without an event. */
  readonly baseline: readonly Match[]
  /** Known homes that a complete snapshot does not contain. */
  readonly missing: readonly string[]
  /** How many of them the last snapshot contained, if their absence is not certain. */
  readonly newlyMissing: number
  /** Too many homes are missing at once to be plausible, so nothing is reported. */
  readonly isDoubted: boolean
}

/** A watch with more matches than this is paused when it is compared with all homes. */
export const MAX_COMPARED = 100_000
/** A snapshot is implausible if it misses more than this share of the homes, and more than this many. */
const DOUBTED_SHARE = 0.2
const DOUBTED_HOMES = 10

/** The maximum number of homes in a complete snapshot. Homes that were added to a list count as homes of a new watch. */
export function matchLimitOf(
  { status, unseen }: { readonly status: string; readonly unseen: readonly string[] },
  limitOfPlan: () => number,
): number {
  return status === 'pending' || unseen.length > 0 ? limitOfPlan() : MAX_COMPARED
}

/** Turns a partial snapshot into observations: it says whether each of its homes is present, and nothing about other homes. */
const ALL_KNOWN = { baseline: [], missing: [], newlyMissing: 0, isDoubted: false } as const

/**
 * Compares a snapshot with the last reported state. Changed homes of a complete snapshot are observed and judged in the order of their
 * zpids.
 */
export async function evaluateSnapshot(
  watch: LockedWatch,
  reported: ReportedState,
  snapshot: PartialSnapshot | WholeSnapshot,
): Promise<Evaluation> {
  if (snapshot.coverage === 'partial')
    return { watch, ...ALL_KNOWN, ...judgeHomes(watch, reported.homes, snapshot.homes) }
  const { changed, ...presence } = comparePresence(reported, snapshot)
  const observed = changed.length === 0 ? [] : await snapshot.observe(changed)
  return { watch, ...presence, ...judgeHomes(watch, reported.homes, observed) }
}

function comparePresence(
  { homes, isFirst, unseen }: ReportedState,
  { present, isAbsenceCertain }: WholeSnapshot,
) {
  const added = new Set(unseen.filter((zpid) => !homes.has(zpid)))
  const lacksBaseline = ({ zpid }: Match) => isFirst || added.has(zpid)
  const found = new Set(present.map(({ zpid }) => zpid))
  const matching = [...homes].filter(([, { leftAt }]) => leftAt === null)
  const missing = matching.filter(([zpid]) => !found.has(zpid))
  const isNew = ([, { missed }]: (typeof missing)[number]) => !isAbsenceCertain && !missed
  const newlyMissing = missing.filter(isNew).length
  const isDoubted = newlyMissing > DOUBTED_HOMES && newlyMissing > DOUBTED_SHARE * matching.length
  const differing = present.filter((match) => !lacksBaseline(match) && differs(homes.get(match.zpid), match))
  const absent = missing.filter((home) => !isNew(home)).map(([zpid]) => zpid)
  const isReported = !isFirst && !isDoubted
  return {
    baseline: present.filter(lacksBaseline),
    missing: missing.map(([zpid]) => zpid),
    newlyMissing,
    isDoubted,
    changed: isReported ? [...differing.map(({ zpid }) => zpid), ...absent].sort() : [],
  }
}

function differs(state: HomeState | undefined, { status, price }: Match): boolean {
  return !state || state.leftAt !== null || state.status !== status || state.price !== price
}

const NO_TYPES: ReadonlySet<string> = new Set()

function judgeHomes(
  watch: LockedWatch,
  states: ReadonlyMap<string, HomeState>,
  homes: readonly ObservedHome[],
): Pick<Evaluation, 'events' | 'silent'> {
  const { minChange, findsPending } = watch
  const types = new Set(watch.events)
  const events: EventWrite[] = []
  const silent: StateWrite[] = []
  for (const home of homes) {
    const { zpid, observation } = home
    const before = states.get(zpid)
    const reported = home.cause?.isUndo ? NO_TYPES : types
    const { event, state } = judgeHome(before, { ...observation, findsPending }, reported, minChange)
    if (!state) continue
    const write = { watch, zpid, before, state, home }
    const seq = watch.lastSeq + events.length + 1
    if (event) events.push({ ...write, event, seq, id: eventIdOf(watch.id, seq) })
    else silent.push(write)
  }
  return { events, silent }
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The id of an event, which is the same however often its evaluation is repeated: `evt_` + 26 characters. */
export function eventIdOf(watchId: string, seq: number): string {
  const hash = createHash('sha256').update(`${watchId} ${seq}`).digest()
  const characters = Array.from({ length: 26 }, (_, at) => CROCKFORD[hash[at]! % (at === 0 ? 8 : 32)]!)
  return `evt_${characters.join('')}`
}
