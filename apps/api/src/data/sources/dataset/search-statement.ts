// Builds the SQL of an area search. Its conditions depend on the filters; each condition comes with its parameter.

import type { ListingKind } from '../../../domain/record.ts'
import {
  type AreaSearch,
  type BoundingBox,
  boxRegion,
  type DaysOnSite,
  EARTH_RADIUS_M,
  FILTER_ENTRIES,
  type Filter,
  type FilterName,
  type FilterValues,
  findsUnplaced,
  type MortonRange,
  mortonRanges,
  NEWEST_FIRST,
  type NumberRange,
  type RowKey,
  type RowOrder,
  type SearchStatus,
  spelledWords,
  splitAtAntimeridian,
} from '../../../domain/search.ts'
import type { BytesParameter } from '../../../infrastructure/database.ts'
import type { PageRequest } from '../provider.ts'

export interface Statement {
  readonly text: string
  readonly values: readonly BytesParameter[]
}

export const KINDS: Readonly<Record<SearchStatus, ListingKind>> = {
  for_sale: 'for_sale',
  for_rent: 'for_rent',
  sold: 'recently_sold',
}

const INTERVALS: Readonly<Record<DaysOnSite, string>> = {
  '1': '1 day',
  '7': '7 days',
  '14': '14 days',
  '30': '30 days',
  '90': '90 days',
  '6m': '6 months',
  '12m': '12 months',
  '24m': '24 months',
  '36m': '36 months',
}

/** The number of ranges for an area. With more ranges fewer rows are read in vain, but each costs one more index lookup. */
export const AREA_RANGES = 128

/**
 * Rows of `total` and a `HomeSummary`, in the order of the page, for a search without areas. `total` counts all matches. If the page is
 * empty, one row has the `total` without a summary.
 */
export function searchStatement(
  search: AreaSearch,
  { limit, order = NEWEST_FIRST, after }: PageRequest,
): Statement {
  const { values, add } = createValues()
  const filters = filterConditions(search, add)
  const sort = sortOf(order, add)
  const columns = `zpid, ${sort.column}`
  const homes = isByAddress(search)
    ? homesByAddress(search, filters, add, columns)
    : homesInBox(search, filters, add, columns)
  // If filters leave few rows, these are kept for both the count and the page. Without filters it is faster to read the index twice than to
  // keep every row. A count(*) over () would also keep every row, and is slower still.
  const text = `
    with matching as ${filters.length > 0 ? 'materialized' : 'not materialized'} (${homes})
    select counted.total, ${SUMMARY}
    from (select count(*) as total from matching) as counted
    left join (
      (select zpid, ${sort.key} as sort_key from matching ${sort.behind(after)} ${sort.orderBy} limit ${add(limit)})
      as page join listings using (zpid)
    ) on true
    order by page.sort_key ${sort.direction} nulls last, page.zpid`
  return { text, values }
}

/** A row of `certainStatement`. */
export interface CertainRow {
  /** A home of the page that is certainly in the area. null: the page has none. */
  readonly zpid: string | null
  readonly sort_key: number | null
  /** The number of homes that are certainly in the area. */
  readonly certain: number
}

/**
 * For a search with areas: counts the homes that are certainly in them, and returns a page of them. undefined: no range is inside an area.
 */
export function certainStatement(
  search: AreaSearch,
  ranges: readonly MortonRange[],
  { limit, order = NEWEST_FIRST, after }: PageRequest,
): Statement | undefined {
  // A few ZIP codes or cities have fewer homes than an area may have, and their index has no Morton codes.
  if (isByAddress(search)) return undefined
  const { values, add } = createValues()
  const filters = filterConditions(search, add)
  const sort = sortOf(order, add)
  const certain = homesInRanges(search, ranges, true, filters, add, `zpid, ${sort.column}`)
  const text = `
    with certain as ${filters.length > 0 ? 'materialized' : 'not materialized'} (${certain})
    select page.zpid, page.sort_key, counted.total as certain
    from (select count(*) as total from certain) as counted
    left join (
      select zpid, ${numberOf(sort)} as sort_key from certain ${sort.behind(after)} ${sort.orderBy} limit ${add(limit)}
    ) as page on true`
  return { text, values }
}

/**
 * For a search with areas: all homes whose position is in a range on the edge. The caller compares them with the region, because
 * PostgreSQL's own polygons have a tolerance and no holes. The homes come as one value of bytes, column after column (`readEdge` in
 * area-work.ts): reading them as rows took three times as long as finding them, and so did joining the columns of each home. null: there
 * are none.
 */
export function edgeStatement(
  search: AreaSearch,
  ranges: readonly MortonRange[],
  { order = NEWEST_FIRST, after }: PageRequest,
): Statement {
  const { values, add } = createValues()
  const filters = filterConditions(search, add)
  const sort = sortOf(order, add)
  const columns = order.by === 'distance' ? 'zpid, location' : `zpid, location, ${sort.column}`
  const homes = isByAddress(search)
    ? homesByAddress(search, filters, add, columns)
    : homesInRanges(search, ranges, false, filters, add, columns)
  const columnOf = (bytes: string) => `string_agg(${bytes}, ''::bytea)`
  // One pass produces all columns, so the homes have the same order in each.
  const text = `
    select int4send(count(*)::integer) || ${columnOf('point_send(location)')} ||
      ${columnOf(`float8send(coalesce(${numberOf(sort)}, 'NaN'))`)} ||
      ${after ? `${columnOf(`boolsend(${sort.isBehind(after)})`)} ||` : ''} textsend(string_agg(zpid, chr(10)))
    from (${homes}) as edge`
  return { text, values }
}

function numberOf({ number }: ReturnType<typeof sortOf>): string {
  return `(${number})::double precision`
}

function homesInRanges(
  search: AreaSearch,
  ranges: readonly MortonRange[],
  isInside: boolean,
  filters: readonly string[],
  add: Add,
  columns: string,
): string {
  const chosen = ranges.filter((range) => range.isInside === isInside)
  return `
    select home.* from unnest(${add(chosen.map(({ low }) => low))}::bigint[],
      ${add(chosen.map(({ high }) => high))}::bigint[]) as range (low, high),
    lateral (${homesOf(search, ['cell between low and high', ...filters], columns)} offset 0) as home`
}

/** The SQL of an order. `add` takes the value of a parameter and returns its placeholder. */
function sortOf(order: RowOrder, add: Add) {
  const { descending } = order
  const direction = descending ? 'desc' : 'asc'
  const column = order.by === 'newest' ? 'listed_at' : order.by === 'distance' ? 'location' : order.by
  const center = order.by === 'distance' ? order.center.map((degrees) => add(degrees)) : []
  const [longitude, latitude] = center.map((name) => `${name}::double precision`)
  /** The haversine formula, as in `distanceM`. */
  const distanceFrom = (place: string) => `(${2 * EARTH_RADIUS_M} * asin(least(1, sqrt(
    sin(radians((${place})[1] - ${latitude}) / 2) ^ 2 + cos(radians(${latitude})) * cos(radians((${place})[1])) *
    sin(radians((${place})[0] - ${longitude}) / 2) ^ 2))))`
  const key = order.by === 'distance' ? distanceFrom('location') : column
  const valueOfRow = (value: number, position: RowKey['position']): string => {
    if (position) return distanceFrom(`point(${add(position[0])}::float8, ${add(position[1])}::float8)`)
    return order.by === 'newest'
      ? `(timestamptz 'epoch' + ${add(value)}::double precision * interval '1 millisecond')`
      : `${add(value)}::double precision`
  }
  const isBehind = (after: RowKey): string => {
    const zpid = add(after.zpid)
    if (after.value === null) return `(${key} is null and zpid > ${zpid})`
    const value = valueOfRow(after.value, after.position)
    return `(${key} ${descending ? '<' : '>'} ${value} or ${key} = ${value} and zpid > ${zpid} or ${key} is null)`
  }
  return {
    column,
    key,
    /** The key as a number that sorts in the same order. */
    number: order.by === 'newest' ? `date_part('epoch', listed_at)` : key,
    direction,
    orderBy: `order by ${key} ${direction} nulls last, zpid`,
    isBehind,
    behind: (after: RowKey | undefined) => (after ? `where ${isBehind(after)}` : ''),
  }
}

/** The columns of a `HomeSummary`. */
const SUMMARY = 'listings.zpid, listings.summary, listings.source, listings.source_updated_at'

/** The summary of a home, and its source. */
export interface HomeSummary {
  readonly zpid: string
  readonly summary: string
  readonly source: string
  readonly source_updated_at: Date | null
}

/** The summaries of the homes with these zpids, in this order. */
export const SUMMARIES = `
  select ${SUMMARY} from unnest($1::text[]) with ordinality as wanted (zpid, place) join listings using (zpid) order by place`

/** Takes the value of a parameter and returns its placeholder. */
type Add = (value: BytesParameter) => string

function createValues(): { readonly values: readonly BytesParameter[]; readonly add: Add } {
  const values: BytesParameter[] = []
  return { values, add: (value) => `$${values.push(value)}` }
}

/** The kind is part of the text and no parameter: the planner must see that it is the condition of an index. */
function homesOf({ status }: AreaSearch, conditions: readonly string[], columns: string): string {
  const all = [`kind = '${KINDS[status]}'`, 'not is_building', ...conditions]
  return `select ${columns} from listings where ${all.join(' and ')}`
}

/**
 * If a range is inside its box, all its homes match. Otherwise their position decides. `offset 0` keeps the planner from joining in another
 * way than by one short index lookup for each range.
 */
function homesInBox(search: AreaSearch, filters: readonly string[], add: Add, columns: string): string {
  const ranges = splitAtAntimeridian(search.bbox).flatMap((box) =>
    mortonRanges(boxRegion(box)).map((range) => ({ ...range, box })),
  )
  const lows = add(ranges.map(({ low }) => low))
  const highs = add(ranges.map(({ high }) => high))
  const edges = add(boxArray(ranges.map(({ isInside, box }) => (isInside ? undefined : box))))
  const conditions = ['cell between low and high', '(edge is null or location <@ edge)', ...filters]
  return `
    select home.* from unnest(${lows}::bigint[], ${highs}::bigint[], ${edges}::box[]) as range (low, high, edge),
    lateral (${homesOf(search, conditions, columns)} offset 0) as home`
}

function isByAddress({ zips, cities }: AreaSearch): boolean {
  return zips !== undefined || cities !== undefined
}

/** Includes homes without a position, unless a box or an area requires one (`findsUnplaced`). */
function homesByAddress(search: AreaSearch, filters: readonly string[], add: Add, columns: string): string {
  const { zips, cities } = search
  return homesOf(
    search,
    [
      ...(zips ? [`zip = any (${add(zips)}::text[])`] : []),
      ...(cities ? [`city = any (${add(cities)}::text[])`] : []),
      ...(findsUnplaced(search)
        ? search.unplacedOnly
          ? ['location is null']
          : []
        : [`location <@ any (${add(boxArray(splitAtAntimeridian(search.bbox)))}::box[])`]),
      ...filters,
    ],
    columns,
  )
}

/** An array of boxes for PostgreSQL. undefined becomes null. */
function boxArray(boxes: readonly (BoundingBox | undefined)[]): string {
  const texts = boxes.map((box) => (box ? `(${box.east},${box.north}),(${box.west},${box.south})` : 'NULL'))
  return `{${texts.join(';')}}`
}

/** The conditions of all filters except the status and the place. `add` takes the value of a parameter and returns its placeholder. */
function filterConditions(search: AreaSearch, add: Add): string[] {
  return FILTER_ENTRIES.flatMap(([name, filter]) =>
    search[name] === undefined ? [] : conditionsOf(filter, search[name], add),
  )
}

/** `value` is the filter's value in the search. */
function conditionsOf(filter: Filter, value: FilterValues[FilterName], add: Add): string[] {
  const { column } = filter
  switch (filter.kind) {
    case 'range': {
      const { min, max } = value as NumberRange
      return [
        ...(min === undefined ? [] : [`${column} >= ${add(min)}`]),
        ...(max === undefined ? [] : [`${column} <= ${add(max)}`]),
      ]
    }
    case 'words':
      return [`${column} = any (${add([...spelledWords(filter, value as readonly string[])])}::text[])`]
    case 'flag':
      return [`${column} = ${add(value as boolean)}`]
    case 'word-flag':
      return [`(${column} = '${filter.word}') = ${add(value as boolean)}`]
    case 'age':
      return [`${column} >= now() - ${add(INTERVALS[value as DaysOnSite])}::interval`]
    case 'until':
      return [`coalesce(${column} > now(), false) = ${add(value as boolean)}`]
  }
}
