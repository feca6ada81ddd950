// Rows of jobs, events of watches, and messages to webhooks are kept for weeks, as they were found. Meanwhile a source may take back the
// right to show one of their homes. The table withheld_homes lists these homes, and all code that reads stored rows or events uses this
// file, and shows them in the forms of domain/record/withheld.ts. The table must be read in the statement that reads the row, or in a later
// one: then no row shows a home after the commit that withholds it.
// Why: decisions/data/withheld-rows-are-masked-on-reading.md

import { type Withheld, withheldEvent } from '../../domain/record.ts'
import type { Queryable } from '../../infrastructure/database.ts'

/**
 * SQL: `address` or `listing` if that is withheld of a home; null: nothing is. It is one lookup in the index of a small table.
 *
 * @param zpid an expression of the statement
 * @param since an expression: a home that was withheld before this time does not count
 */
export function withheldOf(zpid: string, since?: string): string {
  const later = since === undefined ? '' : ` and w.since > ${since}`
  return `(select w.what from withheld_homes w where w.zpid = ${zpid}${later})`
}

/**
 * SQL: a digest of the withheld homes. null: none is withheld. It changes whenever a home of the rows is withheld, or is shown again.
 *
 * @param rows a query for the rows of the home `w.zpid`
 * @param since an expression: homes that were withheld before this time do not count
 */
export function withheldDigest(rows: string, since: string): string {
  return `(
    select md5(string_agg(w.zpid || ' ' || w.what, ',' order by w.zpid)) from withheld_homes w
    where w.since > ${since} and exists (${rows}))`
}

/** The type of the stored events that have search rows of homes. */
export const EVENT_WITH_HOMES = 'watch.changes'

interface HomeEventFacts {
  readonly zpid: string
  readonly previous: object
  readonly current: object
}

/** The `data` of a stored event of that type. */
export interface HomeEventData {
  readonly events: readonly HomeEventFacts[]
}

/** The withheld homes among these. Homes that may be shown are not in the map. */
export async function findWithheld(
  database: Queryable,
  zpids: readonly string[],
): Promise<ReadonlyMap<string, Withheld>> {
  if (zpids.length === 0) return new Map()
  const { rows } = await database.query<{ zpid: string; what: Withheld }>(
    'select zpid, what from withheld_homes where zpid = any($1::text[])',
    [zpids],
    { name: 'find_withheld' },
  )
  return new Map(rows.map(({ zpid, what }) => [zpid, what]))
}

/** The data of an event without everything that is withheld; undefined: all of it may be shown. */
export async function maskEvents<Data extends HomeEventData>(
  database: Queryable,
  data: Data,
): Promise<Data | undefined> {
  const withheld = await findWithheld(
    database,
    data.events.map(({ zpid }) => zpid),
  )
  if (withheld.size === 0) return undefined
  const events = data.events.map((event) => {
    const what = withheld.get(event.zpid)
    return what ? withheldEvent(event, what) : event
  })
  return { ...data, events }
}
