// The log of imports: one row for each import that wrote. Its row is written in the transaction of the import, so that it exists exactly
// when the changes do.

import type { Queryable } from '../../infrastructure/database.ts'
import { addEffects, addToProfiles, type Effects, NO_EFFECTS, readDifferences } from './source-profile.ts'

/** The cause of a change of the data set. `removal` is the command, and `release` applies a held import. */
export type ImportKind = 'file' | 'schedule' | 'feed' | 'sweep' | 'removal' | 'release' | 'revert'
/** `held`: it waits for the decision of a person, and has changed nothing. */
export type ImportState = 'held' | 'applied' | 'discarded' | 'reverted'

/** Numbers of rows and homes by name. */
export type ImportCounts = Readonly<Record<string, number>>

/** An import that is under way in a transaction. */
export interface BegunImport {
  readonly id: number
  /** Whether this transaction wrote its row. False: it is a later page of a run. */
  readonly isNew: boolean
  /** The last row of the change log when it began. */
  readonly after: number
}

export interface ImportEnd {
  readonly sources: readonly string[]
  readonly counts: ImportCounts
  /** A person has permitted its losses, so that they do not count for later imports. */
  readonly isPermitted?: boolean
}

// The number is a setting of the transaction, so that statements and triggers know which import they belong to.
const LAST_CHANGE = '(select coalesce(max(seq), 0) from listing_changes)'
const BEGIN = `
  with begun as (insert into imports (kind, state) values ($1, 'applied') returning id)
  select id, set_config('lotline.import_id', id::text, true), ${LAST_CHANGE} as after from begun`

const CONTINUE = `select set_config('lotline.import_id', $1::bigint::text, true), ${LAST_CHANGE} as after`

// A transaction that changes listings has a version of the data set of its own.
const END = `
  with changed as (
    select min(seq) as first, max(seq) as last from listing_changes
    where version = (select version from data_set_version where changed_by = pg_current_xact_id())
      and seq > $4
  )
  update imports i set ended_at = clock_timestamp(),
    sources = array(select distinct unnest(i.sources || $2::text[]) order by 1),
    counts = i.counts || (
      select coalesce(jsonb_object_agg(key, value::bigint + coalesce((i.counts ->> key)::bigint, 0)), '{}')
      from jsonb_each_text($3::jsonb)),
    effects = i.effects || $5::jsonb,
    first_change = coalesce(i.first_change, c.first), last_change = coalesce(c.last, i.last_change)
  from changed c where i.id = $1`

const FORGET = 'delete from imports where id = $1'

/**
 * Begins an import in the caller's transaction, which holds the lock of imports.
 *
 * @param continued the number of the run that this page belongs to. undefined: a new import
 */
export async function beginImport(tx: Queryable, kind: ImportKind, continued?: number): Promise<BegunImport> {
  if (continued !== undefined) {
    const { rows } = await tx.query<{ after: number }>(CONTINUE, [continued])
    return { id: continued, isNew: false, after: rows[0]!.after }
  }
  const { rows } = await tx.query<{ id: number; after: number }>(BEGIN, [kind])
  return { ...rows[0]!, isNew: true }
}

/** Ends an import, or a page of a run, whose counts are added to those of the pages before it. */
export async function endImport(
  tx: Queryable,
  { id, isNew, after }: BegunImport,
  { sources, counts, isPermitted = false }: ImportEnd,
): Promise<void> {
  const earlier = isNew ? {} : await readEffects(tx, id)
  const effects = (await readDifferences(tx)).map(({ source, effects }) => {
    const all = addEffects(effects, earlier[source] ?? NO_EFFECTS)
    return [source, isPermitted ? { ...all, permitted: true } : all]
  })
  await addToProfiles(tx)
  await tx.query(END, [
    id,
    sources,
    JSON.stringify(counts),
    after,
    JSON.stringify(Object.fromEntries(effects)),
  ])
}

/** Forgets an import that changed nothing, such as a page of a feed without news. A later page of a run keeps its row. */
export async function forgetImport(tx: Queryable, { id, isNew }: BegunImport): Promise<void> {
  if (isNew) await tx.query(FORGET, [id])
}

async function readEffects(tx: Queryable, id: number): Promise<Readonly<Record<string, Effects>>> {
  const { rows } = await tx.query<{ effects: Record<string, Effects> }>(
    'select effects from imports where id = $1',
    [id],
  )
  return rows[0]?.effects ?? {}
}

/** A row of the log. */
export interface LoggedImport {
  readonly id: number
  readonly kind: ImportKind
  readonly state: ImportState
  readonly sources: readonly string[]
  readonly started_at: Date
  readonly ended_at: Date | null
  readonly counts: ImportCounts
  readonly first_change: number | null
  readonly last_change: number | null
  readonly decided_at: Date | null
  readonly decided_by: string | null
  readonly note: string | null
}

const LIST = `
  select id, kind, state, sources, started_at, ended_at, counts, first_change, last_change, decided_at, decided_by, note
  from imports where ($2::text is null or $2 = any(sources)) order by id desc limit $1`

/** The last imports, latest first. With `source`, only those that had rows of it. */
export async function readImports(
  database: Queryable,
  { limit, source }: { readonly limit: number; readonly source?: string | undefined },
): Promise<LoggedImport[]> {
  return (await database.query<LoggedImport>(LIST, [limit, source ?? null])).rows
}
