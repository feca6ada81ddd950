// Events of watches that are stored to be sent, or that were sent, as they may be shown now: a feed may have withdrawn the right to
// show one of their homes in the meantime.

import { type Withheld, withheldEvent } from '../../domain/record.ts'
import type { Queryable } from '../../infrastructure/database.ts'

/** Events of this type have the search rows of homes. */
export const WITH_HOMES = 'watch.changes'

interface WatchEventData {
  readonly zpid: string
  readonly previous: object
  readonly current: object
}

/** The `data` of an event of that type. */
export interface EventData {
  readonly events: readonly WatchEventData[]
}

/** What is withheld of these homes; a home that may be shown is not in it. */
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

/** The data without what is withheld; undefined: nothing is. */
export async function withoutWithheld<Data extends EventData>(
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
