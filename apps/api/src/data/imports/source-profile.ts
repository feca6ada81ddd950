// The profile of a source: how many homes it has by status, type, and price, and how many lack a fact. A trigger on the listings writes each
// difference (profile_changes), and the end of an import adds them to the profiles.

import type { Queryable } from '../../infrastructure/database.ts'

/** The facts that homes may lack. */
export const MISSING = ['no_position', 'no_address', 'no_photos', 'no_beds', 'no_baths', 'no_sqft'] as const
export type MissingFact = (typeof MISSING)[number]

/** Homes of one status, type, and price step. */
export type ProfileGroup = {
  readonly kind: string
  readonly home_type: string
  /** An eighth of the binary logarithm of the price. -1: no price. */
  readonly price_step: number
  readonly homes: number
  readonly zero_position: number
} & Readonly<Record<MissingFact, number>>

/** Counts of homes of a source that an import changes. */
export interface Effects {
  readonly changed: number
  readonly lost: number
  readonly gained: number
  /** Homes that another source provides now. */
  readonly takenOver: number
  readonly emptied: number
}

export const NO_EFFECTS: Effects = { changed: 0, lost: 0, gained: 0, takenOver: 0, emptied: 0 }

export function addEffects(one: Effects, other: Effects): Effects {
  return {
    changed: one.changed + other.changed,
    lost: one.lost + other.lost,
    gained: one.gained + other.gained,
    takenOver: one.takenOver + other.takenOver,
    emptied: one.emptied + other.emptied,
  }
}

/** A source before and after an import. */
export interface SourceDifference {
  readonly source: string
  readonly before: readonly ProfileGroup[]
  readonly after: readonly ProfileGroup[]
  readonly effects: Effects
}

const COUNTS = 'homes, zero_position, no_position, no_address, no_photos, no_beds, no_baths, no_sqft'
const SUMS = COUNTS.split(', ')
  .map((name) => `sum(${name}) as ${name}`)
  .join(', ')

// Differences of other transactions belong to the profile before: a right may have removed homes since.
const READ = `
  with mine as (
    select distinct source from profile_changes where changed_by = pg_current_xact_id()
  ), before as (
    select source, kind, home_type, price_step, ${COUNTS} from source_profiles where source in (select source from mine)
    union all
    select source, kind, home_type, price_step, ${COUNTS} from profile_changes
    where changed_by <> pg_current_xact_id() and source in (select source from mine)
  )
  select source, kind, home_type, price_step, false as is_mine, ${SUMS}, 0 as changed, 0 as lost, 0 as gained,
    0 as taken_over, 0 as emptied
  from before group by source, kind, home_type, price_step
  union all
  select source, kind, home_type, price_step, true, ${SUMS}, sum(changed), sum(lost), sum(gained), sum(taken_over), sum(emptied)
  from profile_changes where changed_by = pg_current_xact_id() group by source, kind, home_type, price_step`

type DifferenceRow = ProfileGroup & {
  readonly source: string
  readonly is_mine: boolean
  readonly changed: number
  readonly lost: number
  readonly gained: number
  readonly taken_over: number
  readonly emptied: number
}

/** The differences that this transaction has made so far, of each source that it changed. */
export async function readDifferences(tx: Queryable): Promise<SourceDifference[]> {
  const { rows } = await tx.query<Record<string, unknown>>(READ)
  const bySource = Map.groupBy(rows.map(numbered), ({ source }) => source)
  return [...bySource].map(([source, all]) => {
    const mine = all.filter(({ is_mine }) => is_mine)
    const before = all.filter(({ is_mine }) => !is_mine)
    const effects = mine.reduce<Effects>(
      (sum, { changed, lost, gained, taken_over: takenOver, emptied }) =>
        addEffects(sum, { changed, lost, gained, takenOver, emptied }),
      NO_EFFECTS,
    )
    return { source, before, after: addGroups(all), effects }
  })
}

/** Each group once, with the sums of its counts. */
function addGroups(groups: readonly ProfileGroup[]): ProfileGroup[] {
  const sums = new Map<string, ProfileGroup>()
  for (const group of groups) {
    const key = JSON.stringify([group.kind, group.home_type, group.price_step])
    const sum = sums.get(key)
    sums.set(key, sum === undefined ? group : addCounts(sum, group))
  }
  return [...sums.values()]
}

function addCounts(one: ProfileGroup, other: ProfileGroup): ProfileGroup {
  const counts = ['homes', 'zero_position', ...MISSING] as const
  return { ...one, ...Object.fromEntries(counts.map((name) => [name, one[name] + other[name]])) }
}

/** Sums arrive as texts. */
function numbered(row: Record<string, unknown>): DifferenceRow {
  const texts = new Set(['source', 'kind', 'home_type', 'is_mine'])
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, texts.has(name) ? value : Number(value)]),
  ) as unknown as DifferenceRow
}

const ADD = `
  with taken as (
    delete from profile_changes returning *
  )
  insert into source_profiles as p (source, kind, home_type, price_step, ${COUNTS})
    select source, kind, home_type, price_step, ${SUMS} from taken group by source, kind, home_type, price_step
  on conflict (source, kind, home_type, price_step) do update set
    ${COUNTS.split(', ')
      .map((name) => `${name} = p.${name} + excluded.${name}`)
      .join(', ')}`

/** Adds all differences to the profiles. */
export async function addToProfiles(tx: Queryable): Promise<void> {
  await tx.query(ADD)
}
