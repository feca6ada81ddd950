// Imports, lists, and removes boundaries of places. An import is one transaction. Invalid boundaries are rejected and reported, never
// repaired.

import { type PlaceKind, readBoundary } from '@lotline/contract/checks'
import type { Database, Queryable } from '../../infrastructure/database.ts'
import { ImportFailure } from '../ingest/source-row.ts'
import { type Boundary, writeBoundary } from './boundary.ts'
import { type CountyOf, countyFinder } from './county-of.ts'
import { nameKey, stateCode } from './place.ts'
import { readFeatures, type SourceFeature } from './read-features.ts'

export type ImportedKind = Exclude<PlaceKind, 'state'>

export interface PlaceImport {
  readonly kind: ImportedKind
  /** Names of properties of each feature. Without `county` and `state`, the import finds them on the map. */
  readonly fields: {
    readonly id: string
    readonly name: string
    readonly county?: string
    readonly state?: string
  }
  readonly source: string
  readonly license: string
  /** The year or version of the boundaries. */
  readonly vintage: string
  /** Changes nothing if a feature is rejected. */
  readonly strict?: boolean
  readonly dryRun?: boolean
}

/** A feature that cannot be used. */
export interface RejectedFeature {
  /** Counted from 1. */
  readonly feature: number
  /** Its line, if the file has one feature per line. */
  readonly line: number | null
  readonly id: string | null
  readonly reason: string
}

export interface PlaceReport {
  readonly added: number
  readonly replaced: number
  readonly rejected: readonly RejectedFeature[]
  /** False: nothing was written, because of `strict` or `dryRun`. */
  readonly written: boolean
}

interface PlaceRow {
  readonly id: string
  readonly name: string
  readonly county: string | null
  readonly state: string | null
  readonly boundary: Boundary
}

/** Rows and boundaries of one statement. */
const ROWS_AT_A_TIME = 200
const POSITIONS_AT_A_TIME = 500_000
const MAX_ID = 100
const MAX_NAME = 200

const INSERT_BOUNDARIES = `
  insert into place_boundaries (key, positions, data, boxes)
  select distinct on (key) key, positions, data, boxes::float8[]
  from unnest($1::text[], $2::int[], $3::bytea[], $4::text[]) as new (key, positions, data, boxes)
  on conflict (key) do nothing`

const UPSERT = `
  insert into places (kind, id, name, name_key, county, state, boundary, source, license, vintage)
  select $1, new.*, $2, $3, $4
  from unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
    as new (id, name, name_key, county, state, boundary)
  on conflict (kind, id) do update set
    (name, name_key, county, state, boundary, source, license, vintage, imported_at) =
    (excluded.name, excluded.name_key, excluded.county, excluded.state, excluded.boundary, excluded.source,
      excluded.license, excluded.vintage, now())
  returning (xmax <> 0) as "isReplaced"`

/** Ends the transaction of an import that writes nothing. */
class Undone extends Error {}

/** @throws {ImportFailure} when the file cannot be read, or is not GeoJSON */
export async function importPlaces(
  database: Database,
  path: string,
  order: PlaceImport,
): Promise<PlaceReport> {
  const { strict = false, dryRun = false } = order
  const counts = { added: 0, replaced: 0 }
  const rejected: RejectedFeature[] = []
  try {
    await database.transaction(async (tx) => {
      await readInto(tx, path, order, { counts, rejected })
      if (dryRun || (strict && rejected.length > 0)) throw new Undone()
      await removeUnused(tx)
    })
    return { ...counts, rejected, written: true }
  } catch (error) {
    if (!(error instanceof Undone)) throw error
    return { ...counts, rejected, written: false }
  }
}

interface PlaceProgress {
  readonly counts: { added: number; replaced: number }
  readonly rejected: RejectedFeature[]
}

async function readInto(
  tx: Queryable,
  path: string,
  order: PlaceImport,
  progress: PlaceProgress,
): Promise<void> {
  const { counts, rejected } = progress
  const seen = new Set<string>()
  const countyOf = countyFinder()
  let batch: PlaceRow[] = []
  let positions = 0
  let features = 0
  const flush = async () => {
    const { added, replaced } = await store(tx, order, batch)
    counts.added += added
    counts.replaced += replaced
    batch = []
    positions = 0
  }
  for await (const source of readFeatures(path)) {
    features++
    const { feature, line = null } = source
    const row = readRow(source, order, countyOf)
    if ('reason' in row) rejected.push({ feature, line, ...row })
    else if (seen.has(row.id))
      rejected.push({ feature, line, id: row.id, reason: 'A feature before it in the file has the same id.' })
    else {
      seen.add(row.id)
      batch.push(row)
      positions += row.boundary.positions
      if (batch.length >= ROWS_AT_A_TIME || positions >= POSITIONS_AT_A_TIME) await flush()
    }
  }
  await flush()
  if (features === 0) throw new ImportFailure(`${path} has no features. Nothing was changed.`)
}

async function store(tx: Queryable, order: PlaceImport, rows: readonly PlaceRow[]) {
  if (rows.length === 0) return { added: 0, replaced: 0 }
  const column = <T>(of: (row: PlaceRow) => T) => rows.map(of)
  await tx.query(INSERT_BOUNDARIES, [
    column(({ boundary }) => boundary.key),
    column(({ boundary }) => boundary.positions),
    column(({ boundary }) => boundary.data),
    column(({ boundary }) => `{${boundary.boxes}}`),
  ])
  const { rows: written } = await tx.query<{ isReplaced: boolean }>(UPSERT, [
    order.kind,
    order.source,
    order.license,
    order.vintage,
    column(({ id }) => id),
    column(({ name }) => name),
    column(({ name }) => nameKey(name)),
    column(({ county }) => county),
    column(({ state }) => state),
    column(({ boundary }) => boundary.key),
  ])
  const replaced = written.filter(({ isReplaced }) => isReplaced).length
  return { added: written.length - replaced, replaced }
}

type FeatureFault = Pick<RejectedFeature, 'id' | 'reason'>

function readRow(
  { value, fault }: SourceFeature,
  { kind, fields }: PlaceImport,
  countyOf: CountyOf,
): PlaceRow | FeatureFault {
  if (fault !== undefined) return { id: null, reason: fault }
  const { properties, geometry } = (value ?? {}) as {
    properties?: Readonly<Record<string, unknown>> | null
    geometry?: unknown
  }
  const read = (field: string | undefined): string | null => {
    const found = field === undefined ? undefined : properties?.[field]
    return typeof found === 'string' || typeof found === 'number' ? String(found).trim() || null : null
  }
  const id = read(fields.id)
  if (id === null || id.length > MAX_ID || id.includes('\0'))
    return {
      id: null,
      reason: `The property ${fields.id} is missing, empty, or longer than ${MAX_ID} characters.`,
    }
  if (kind === 'zip' && !/^\d{5}$/.test(id))
    return { id, reason: `The property ${fields.id} is not a ZIP code of five digits.` }
  const name = read(fields.name)
  if (name === null || name.length > MAX_NAME || name.includes('\0') || nameKey(name) === '')
    return {
      id,
      reason: `The property ${fields.name} is missing, empty, or longer than ${MAX_NAME} characters.`,
    }
  const boundary = readBoundary(geometry)
  if ('fault' in boundary) return { id, reason: boundary.fault }
  const [county, state] = [read(fields.county), read(fields.state)]
  const around = county !== null && state !== null ? undefined : countyOf(boundary.polygons)
  return {
    id,
    name,
    county: county ?? around?.county ?? null,
    state: (state === null ? around?.state : (stateCode(state) ?? state)) ?? null,
    boundary: writeBoundary(boundary.polygons),
  }
}

// Watches name boundaries as long as they exist, and jobs for less than 40 days. A call that just found a place has marked its boundary
// (`kept_at`) before it creates a watch or a job.
const REMOVE_UNUSED = `
  delete from place_boundaries b
  where kept_at < now() - interval '40 days'
    and not exists (select from places where boundary = b.key)
    and b.key not in (
      select area ->> 'boundary' from watches, jsonb_array_elements(search -> 'areas') as area
      where jsonb_typeof(search -> 'areas') = 'array' and area ? 'boundary')`

/** Removes the boundaries that no place has and nothing uses. */
async function removeUnused(database: Queryable): Promise<void> {
  await database.query(REMOVE_UNUSED)
}

export interface PlaceSource {
  readonly kind: ImportedKind
  readonly source: string
  readonly license: string
  readonly vintage: string
  readonly places: number
  /** Positions of all boundaries. */
  readonly positions: number
}

/** The imported places, by kind and source. */
export async function listPlaces(database: Queryable): Promise<readonly PlaceSource[]> {
  const { rows } = await database.query<PlaceSource>(`
    select kind, source, license, vintage, count(*) as places, sum(positions)::bigint as positions
    from places join place_boundaries on key = boundary
    group by kind, source, license, vintage order by kind, source, vintage, license`)
  return rows
}

const REMOVE = `
  with removed as (
    delete from places where kind = $1 and ($2::text is null or source = $2) and ($3::text is null or id = $3) returning 1)
  select count(*) as removed from removed`

/** Removes all places of a kind, all of a source, or one. Returns their number. */
export function removePlaces(
  database: Database,
  { kind, source, id }: { readonly kind: ImportedKind; readonly source?: string; readonly id?: string },
): Promise<number> {
  return database.transaction(async (tx) => {
    const { rows } = await tx.query<{ removed: number }>(REMOVE, [kind, source ?? null, id ?? null])
    await removeUnused(tx)
    return rows[0]!.removed
  })
}
