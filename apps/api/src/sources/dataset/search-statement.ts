// The statement of an area search. Which conditions it has depends on the filters, so it is put together here, each
// condition with its parameter.

import type { ListingKind } from '../../record/status-of.ts'
import {
  type AreaSearch,
  type DaysOnSite,
  type Range,
  type SearchStatus,
  splitAtAntimeridian,
} from '../../search/area-search.ts'
import { SOURCE_HOME_TYPES } from '../../search/home-types.ts'

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

const KINDS: Readonly<Record<SearchStatus, ListingKind>> = {
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
  // The kind stands in the text and not in a parameter: the planner must see that it is the condition of an index.
  const conditions = [`kind = '${KINDS[search.status]}'`, 'not is_building']

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
  if (search.daysOnSite)
    conditions.push(`listed_at >= now() - ${add(INTERVALS[search.daysOnSite])}::interval`)
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

  function range(column: string, bounds: Range | undefined): void {
    if (bounds?.min !== undefined) conditions.push(`${column} >= ${add(bounds.min)}`)
    if (bounds?.max !== undefined) conditions.push(`${column} <= ${add(bounds.max)}`)
  }

  const inEachBox = splitAtAntimeridian(search.bbox).map(
    ({ west, south, east, north }) => `
      select zpid, listed_at from listings
      where ${[...conditions, `location <@ ${add(`(${east},${north}),(${west},${south})`)}::box`].join(' and ')}`,
  )
  // Counting and sorting need no more than the spatial index holds; summaries are read for the page alone. One query
  // with count(*) over () carries the summaries of all that match through a sort: three times as slow on large boxes.
  const text = `
    with matching as materialized (${inEachBox.join(' union all ')}),
    page as (select * from matching order by listed_at desc nulls last, zpid limit ${add(limit)})
    select counted.total, listings.summary
    from (select count(*) as total from matching) as counted
    left join (page join listings using (zpid)) on true
    order by page.listed_at desc nulls last, page.zpid`
  return { text, values }
}
