// Held imports: reading them, and recording the decision of a person.

import { keysetPages, type Queryable } from '../../infrastructure/database.ts'
import type { ImportKind, LoggedImport } from './import-log.ts'
import type { LimitExcess } from './judge-import.ts'

/** A held import with its reasons. */
export interface HeldEntry
  extends Pick<
    LoggedImport,
    'id' | 'kind' | 'state' | 'sources' | 'started_at' | 'counts' | 'decided_at' | 'decided_by' | 'note'
  > {
  readonly findings: readonly LimitExcess[]
  readonly complete: readonly string[]
  readonly rejected: readonly string[]
}

const COLUMNS = `
  i.id, i.kind, i.state, i.sources, i.started_at, i.counts, i.decided_at, i.decided_by, i.note, h.findings, h.complete, h.rejected`

/** All imports that are held, latest first. */
export async function readHeld(database: Queryable): Promise<HeldEntry[]> {
  const { rows } = await database.query<HeldEntry>(
    `select ${COLUMNS} from imports i join held_imports h on h.import_id = i.id where i.state = 'held' order by i.id desc`,
  )
  return rows
}

/** An import that is held, or that was. undefined: there is none with this number. */
export async function findHeld(database: Queryable, id: number): Promise<HeldEntry | undefined> {
  const { rows } = await database.query<HeldEntry>(
    `select ${COLUMNS} from imports i join held_imports h on h.import_id = i.id where i.id = $1`,
    [id],
  )
  return rows[0]
}

/** Locks an import that is held. undefined: there is none, or a person has decided. */
export async function lockHeld(tx: Queryable, id: number): Promise<HeldEntry | undefined> {
  const { rowCount } = await tx.query(`select from imports where id = $1 and state = 'held' for update`, [id])
  return rowCount === 0 ? undefined : findHeld(tx, id)
}

export interface Decision {
  readonly state: 'applied' | 'discarded'
  readonly by: string
  readonly note?: string
}

const DECIDE = `
  update imports set state = $2, decided_at = now(), decided_by = $3, note = $4 where id = $1 and state = 'held'`

/** Records the decision, and forgets the rows of the import. */
export async function decide(tx: Queryable, id: number, { state, by, note }: Decision): Promise<void> {
  await tx.query(DECIDE, [id, state, by, note ?? null])
  await tx.query('delete from held_listings where import_id = $1', [id])
}

/** Drops a held import. Returns false if none is held under this number. */
export async function discardImport(tx: Queryable, id: number, by: string): Promise<boolean> {
  if (!(await lockHeld(tx, id))) return false
  await decide(tx, id, { state: 'discarded', by })
  return true
}

/** A row of a held import. */
export interface HeldRow {
  readonly zpid: string
  readonly source: string
  readonly source_key: string | null
  readonly record: string
}

const ROWS = `
  select zpid, source, source_key, record from held_listings where import_id = $1 and zpid > $2 order by zpid limit 250`

/** The rows of a held import, in the order of their zpids. */
export function readHeldRows(tx: Queryable, id: number): AsyncIterable<readonly HeldRow[]> {
  const read = async (last: string) => (await tx.query<HeldRow>(ROWS, [id, last])).rows
  return keysetPages('', ({ zpid }) => zpid, read)
}

/** Whether a run of a feed is judged. `held`: it only follows deletions and restrictions. `released`: it is not judged. */
export interface RunState {
  readonly held: number | undefined
  readonly released: number | undefined
}

// A source that was removed and connected again is another feed.
const RUN_STATE = `
  select max(i.id) filter (where i.state = 'held') as held, max(i.id) filter (where h.passes_run) as released
  from imports i join held_imports h on h.import_id = i.id join connected_sources c on c.name = $1
  where (i.state = 'held' or h.passes_run) and i.kind in ('feed', 'sweep') and $1 = any(i.sources)
    and i.started_at >= c.created_at`

export async function readRunState(database: Queryable, source: string): Promise<RunState> {
  const { rows } = await database.query<{ held: number | null; released: number | null }>(RUN_STATE, [source])
  return { held: rows[0]!.held ?? undefined, released: rows[0]!.released ?? undefined }
}

/** Lets the next run of the feed pass without a judgement, up to its end. */
export async function passNextRun(tx: Queryable, id: number): Promise<void> {
  await tx.query('update held_imports set passes_run = true where import_id = $1', [id])
}

/** The run that was let pass has ended. */
export async function endPassedRun(database: Queryable, source: string): Promise<void> {
  await database.query(
    `update held_imports h set passes_run = false from imports i
     where i.id = h.import_id and h.passes_run and $1 = any(i.sources)`,
    [source],
  )
}

/** Whether the held import is of a feed, which is read again instead of being kept. */
export function isOfFeed({ kind }: { readonly kind: ImportKind }): boolean {
  return kind === 'feed' || kind === 'sweep'
}
