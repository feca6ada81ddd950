// Finds the places that a search names. An imported place takes precedence over a built-in one of the same kind and id.

import { shownValue } from '@lotline/contract'
import { type AreaSearch, type PlaceArea, setPlaceRegion } from '../../domain/search.ts'
import type { Queryable } from '../../infrastructure/database.ts'
import { poll } from '../../infrastructure/platform.ts'
import { isRefusal, type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import { type Boundary, prepareSearches, regionOfKey, writeBoundary } from './boundary.ts'
import { builtInPlaces } from './built-in.ts'
import { infoOf, type PlaceEntry, type PlaceInfo, readName } from './place.ts'

export interface FindOptions {
  /** The client's name of the area at an index of the search. */
  readonly placeOf: (index: number) => string
  /** Keeps the boundaries for a watch or a job, which searches later. Default: false. */
  readonly keep?: boolean
}

/**
 * The search with its places: each with its id, name, source, and boundary, ready to be searched.
 *
 * @returns a refusal with `unknown_place` or `ambiguous_place`
 */
export async function findPlaces<S extends Pick<AreaSearch, 'areas'>>(
  database: Queryable,
  search: S,
  options: FindOptions,
): Promise<S | Refusal> {
  const found = await poll(() => findOnce(database, search, options), { attempts: MAX_ATTEMPTS, pauseMs: 0 })
  if (found === undefined)
    throw new Error('The places of a search were replaced each time that they were found.')
  return found
}

/** An import may replace a place, and remove its boundary, after the place was found and before its boundary was kept. */
const MAX_ATTEMPTS = 3

/** @returns undefined if a boundary was removed before it could be kept */
async function findOnce<S extends Pick<AreaSearch, 'areas'>>(
  database: Queryable,
  search: S,
  { placeOf, keep = false }: FindOptions,
): Promise<S | Refusal | undefined> {
  if (!search.areas?.some(({ type }) => type === 'place')) return search
  const areas = [...search.areas]
  const builtIn: Boundary[] = []
  for (const [index, area] of areas.entries()) {
    if (area.type !== 'place') continue
    const entries = await findEntries(database, area)
    const [entry, ...others] = entries
    if (!entry) return refuseUnknown(area, placeOf(index))
    if (others.length > 0) return refuseAmbiguous(entries, area, placeOf(index))
    if (entry.boundary !== undefined) {
      areas[index] = { type: 'place', ...infoOf(entry), boundary: entry.boundary }
    } else {
      const boundary = builtInBoundary(entry)
      const found: PlaceArea = { type: 'place', ...infoOf(entry), boundary: boundary.key }
      setPlaceRegion(
        found,
        regionOfKey(boundary.key, () => builtInPlaces().polygonsOf(entry)),
      )
      areas[index] = found
      builtIn.push(boundary)
    }
  }
  const found = { ...search, areas }
  if (keep && !(await keepBoundaries(database, found, builtIn))) return undefined
  await prepareSearches(database, [found])
  return found
}

/** Checks whether the places of searches exist, for an estimate that does not run them. */
export function checkPlaces(
  database: Queryable,
  searches: readonly AreaSearch[],
  placeOf: (index: number) => string,
): () => Promise<Refusal | undefined> {
  return async () => {
    for (const search of searches) {
      const found = await findPlaces(database, search, { placeOf })
      if (isRefusal(found)) return found
    }
    return undefined
  }
}

/** The places of a search after `findPlaces`, as responses name them. undefined: it names none. */
export function placesOf({ areas = [] }: Pick<AreaSearch, 'areas'>): PlaceInfo[] | undefined {
  const places = areas.flatMap((area) => (area.type === 'place' ? [infoOf(area as PlaceInfo)] : []))
  return places.length === 0 ? undefined : places
}

interface FoundEntry extends PlaceEntry {
  /** The key of its boundary. Absent: it is built in. */
  readonly boundary?: string
}

/** The maximum of places that a refusal lists. */
const MAX_CANDIDATES = 10

const COLUMNS = 'kind, id, name, county, state, source, vintage, boundary'
const BY_ID = `select ${COLUMNS} from places where kind = $1 and id = $2`
const BY_NAME = `
  select ${COLUMNS} from places where kind = $1 and name_key = $2 and ($3::text is null or state = $3)
  order by id limit ${MAX_CANDIDATES}`
const WHICH_IMPORTED = 'select id from places where kind = $1 and id = any ($2)'

/** Several entries if several places have the name. */
async function findEntries(
  database: Queryable,
  { kind, id, name = '' }: PlaceArea,
): Promise<readonly FoundEntry[]> {
  const hasBuiltIn = kind === 'state' || kind === 'county'
  if (id !== undefined) {
    const { rows } = await database.query<FoundEntry>(BY_ID, [kind, id], { name: 'place_by_id' })
    const builtIn = hasBuiltIn ? builtInPlaces().byId(kind, id) : undefined
    return rows.length > 0 || !builtIn ? rows : [builtIn]
  }
  for (const { key, state } of readName(name)) {
    const { rows } = await database.query<FoundEntry>(BY_NAME, [kind, key, state ?? null], {
      name: 'places_by_name',
    })
    const builtIn = hasBuiltIn
      ? builtInPlaces()
          .byName(kind, key)
          .filter((entry) => state === undefined || entry.state === state)
      : []
    // A built-in place that was imported under another name is no longer the built-in one.
    const ids = builtIn.map((entry) => entry.id)
    const { rows: imported } =
      ids.length === 0 ? { rows: [] } : await database.query<{ id: string }>(WHICH_IMPORTED, [kind, ids])
    const replaced = new Set(imported.map((row) => row.id))
    const found = [...rows, ...builtIn.filter((entry) => !replaced.has(entry.id))]
    if (found.length > 0) return found
  }
  return []
}

const builtInKeys = new Map<string, string>()

/** The data is made on first use. */
function builtInBoundary(entry: PlaceEntry): Boundary {
  const place = `${entry.kind}:${entry.id}`
  let made: Boundary | undefined
  const make = () => {
    made ??= writeBoundary(builtInPlaces().polygonsOf(entry))
    return made
  }
  const key = builtInKeys.get(place) ?? make().key
  builtInKeys.set(place, key)
  return {
    key,
    get data() {
      return make().data
    },
    get positions() {
      return make().positions
    },
    get boxes() {
      return make().boxes
    },
  }
}

// Written at most once a day, because many watches name one place.
const STILL_KEPT = `
  update place_boundaries set kept_at = now() where key = any ($1) and kept_at < now() - interval '1 day'`
// Waits for an import that is removing one of them.
const KNOWN = 'select key from place_boundaries where key = any ($1) for key share'
const KEEP = `
  insert into place_boundaries (key, positions, data, boxes)
  select key, positions, data, boxes::float8[]
  from unnest($1::text[], $2::int[], $3::bytea[], $4::text[]) as new (key, positions, data, boxes)
  on conflict (key) do nothing`

/** Whether all of them are kept now. */
async function keepBoundaries(
  database: Queryable,
  { areas }: Pick<AreaSearch, 'areas'>,
  builtIn: readonly Boundary[],
): Promise<boolean> {
  const keys = (areas ?? []).flatMap((area) => (area.type === 'place' ? [area.boundary!] : []))
  await database.query(STILL_KEPT, [keys])
  const { rows } = await database.query<{ key: string }>(KNOWN, [keys])
  const known = new Set(rows.map(({ key }) => key))
  const missing = [...new Map(builtIn.map((one) => [one.key, one])).values()].filter(
    ({ key }) => !known.has(key),
  )
  const own = new Set(builtIn.map(({ key }) => key))
  if (!keys.every((key) => known.has(key) || own.has(key))) return false
  if (missing.length === 0) return true
  await database.query(KEEP, [
    missing.map(({ key }) => key),
    missing.map(({ positions }) => positions),
    missing.map(({ data }) => data),
    missing.map(({ boxes }) => `{${boxes}}`),
  ])
  return true
}

/** The query parameter of GET /v1/listings. It accepts only ids, and a name in it is a common mistake. */
const QUERY_PARAMETER = 'place'

function refuseUnknown({ kind, id, name = '' }: PlaceArea, place: string): Refusal {
  return refuseFor(
    'unknown_place',
    id === undefined ? 'name' : place === QUERY_PARAMETER ? 'id_in_query' : 'id',
    { place, kind, value: shownValue(id ?? name) },
    { parameter: place },
  )
}

function refuseAmbiguous(
  entries: readonly PlaceEntry[],
  { kind, name = '' }: PlaceArea,
  place: string,
): Refusal {
  const places = entries
    .slice(0, MAX_CANDIDATES)
    .map(({ id, name, county, state }) => ({ id, name, county: kind === 'state' ? null : county, state }))
  const candidates = places.map(({ id, name, county, state }) => {
    const names = [name, kind === 'county' ? null : county, state].filter((part) => part !== null)
    return `${id}: ${[...new Set(names)].join(', ')}`
  })
  return refuseFor(
    'ambiguous_place',
    'name',
    { place, value: shownValue(name) },
    { parameter: place, candidates, places },
  )
}
