// Removes withheld homes from stored watch events: a feed may have withdrawn the right to show a home after the event was written.

import { type Withheld, withheldEvent } from '../../domain/record.ts'
import type { Queryable } from '../../infrastructure/database.ts'

/** Events of this type contain search rows of homes. */
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

/** The withheld fields of these homes. A home that may be shown is not in the result. */
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

/** The data without withheld fields; undefined: nothing is withheld. */
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
