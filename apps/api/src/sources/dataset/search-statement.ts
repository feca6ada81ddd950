// The statement of an area search. Which conditions it has depends on the filters, so it is put together here, each
// condition with its parameter.

import type { ListingKind } from '../../record/status-of.ts'
import {
  type AreaSearch,
  type BoundingBox,
  type DaysOnSite,
  type Range,
  type SearchStatus,
  splitAtAntimeridian,
} from '../../search/area-search.ts'
import { SOURCE_HOME_TYPES } from '../../search/home-types.ts'
import { mortonRanges, regionOfBox } from '../../search/morton.ts'

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
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

/**
 * Rows of `total` and `summary`: newest listings first, and by zpid where that is equal, so in the same order on every
 * call. `total` counts all that match, and stands in a row of its own, without a summary, when none is returned.
 */
export function searchStatement(search: AreaSearch, limit: number): Statement {
  const values: unknown[] = []
  const add = (value: unknown): string => `$${values.push(value)}`
  const filters = filterConditions(search, add)
  const ranges = splitAtAntimeridian(search.bbox).flatMap((box) =>
    mortonRanges(regionOfBox(box)).map((range) => ({ ...range, box })),
  )
  // The kind stands in the text and not in a parameter: the planner must see that it is the condition of an index.
  // Of a range that is inside its box every home is, and of another one the position decides. `offset 0` keeps the planner
  // from joining in another way than by one short look into the index for each range.
  //
  // Where filters leave few rows, these are kept for the count and for the page. Without filters it is faster to read the
  // index twice than to keep every row. A count(*) over () would keep every row as well, and is slower still.
  const text = `
    with matching as ${filters.length > 0 ? 'materialized' : 'not materialized'} (
      select home.zpid, home.listed_at
      from unnest(${add(ranges.map(({ low }) => low))}::bigint[], ${add(ranges.map(({ high }) => high))}::bigint[],
        ${add(boxArray(ranges.map(({ isInside, box }) => (isInside ? undefined : box))))}::box[]) as range (low, high, edge),
      lateral (
        select zpid, listed_at from listings
        where kind = '${KINDS[search.status]}' and not is_building and cell between low and high
          and (edge is null or location <@ edge)${filters.map((filter) => ` and ${filter}`).join('')}
        offset 0
      ) as home
    )
    select counted.total, listings.summary
    from (select count(*) as total from matching) as counted
    left join (
      (select * from matching order by listed_at desc nulls last, zpid limit ${add(limit)}) as page
      join listings using (zpid)
    ) on true
    order by page.listed_at desc nulls last, page.zpid`
  return { text, values }
}

/** PostgreSQL's array of boxes; undefined becomes null. */
function boxArray(boxes: readonly (BoundingBox | undefined)[]): string {
  const texts = boxes.map((box) => (box ? `(${box.east},${box.north}),(${box.west},${box.south})` : 'NULL'))
  return `{${texts.join(';')}}`
}

/** The conditions of all filters but the area and the status. `add` takes the value of a parameter and names it. */
function filterConditions(search: AreaSearch, add: (value: unknown) => string): string[] {
  const conditions: string[] = []
  const range = (column: string, bounds: Range | undefined): void => {
    if (bounds?.min !== undefined) conditions.push(`${column} >= ${add(bounds.min)}`)
    if (bounds?.max !== undefined) conditions.push(`${column} <= ${add(bounds.max)}`)
  }
  range('price', search.price)
  range('beds', search.beds)
  range('baths', search.baths)
  range('sqft', search.sqft)
  range('year_built', search.yearBuilt)
  range('lot_size', search.lotSize)
  range('hoa', search.hoa)
  if (search.homeTypes) {
    conditions.push(
      `home_type = any (${add(search.homeTypes.map((type) => SOURCE_HOME_TYPES[type]))}::text[])`,
    )
  }
  if (search.daysOnSite) {
    conditions.push(`listed_at >= now() - ${add(INTERVALS[search.daysOnSite])}::interval`)
  }
  if (search.hasPool !== undefined) conditions.push(`has_pool = ${add(search.hasPool)}`)
  if (search.hasGarage !== undefined) conditions.push(`has_garage = ${add(search.hasGarage)}`)
  if (search.isWaterfront !== undefined) conditions.push(`is_waterfront = ${add(search.isWaterfront)}`)

  if (search.saleTypes) conditions.push(`sale_type = any (${add([...search.saleTypes])}::text[])`)
  if (search.pending !== undefined) conditions.push(`is_pending = ${add(search.pending)}`)
  if (search.comingSoon !== undefined)
    conditions.push(`(sale_type = 'coming_soon') = ${add(search.comingSoon)}`)
  if (search.openHouse !== undefined) {
    conditions.push(`coalesce(open_until > now(), false) = ${add(search.openHouse)}`)
  }
  if (search.seniorCommunity !== undefined) conditions.push(`is_senior = ${add(search.seniorCommunity)}`)
  return conditions
}
