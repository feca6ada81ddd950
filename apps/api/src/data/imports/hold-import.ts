// Holds an import that exceeds limits: its rows are copied over a second connection while its own transaction still has them, and that
// transaction is then rolled back. A process that is killed leaves the import held, or nothing.
// Why: decisions/data/held-imports.md

import { type Database, keysetPages, type Queryable } from '../../infrastructure/database.ts'
import type { ImportCounts, ImportKind } from './import-log.ts'
import type { LimitExcess } from './judge-import.ts'

/** An import that waits for the decision of a person. Only the restrictions of its rows were applied. */
export class ImportHeld extends Error {
  override readonly name = 'ImportHeld'
  readonly importId: number
  readonly findings: readonly LimitExcess[]

  constructor(importId: number, findings: readonly LimitExcess[]) {
    super(
      `Import ${importId} is held: ${findings.map(({ text }) => text).join('; ')}. Nothing was changed. To see the difference: ` +
        `lotline listings show ${importId}. To apply it: lotline listings release ${importId}. To drop it: lotline listings ` +
        `discard ${importId}.`,
    )
    this.importId = importId
    this.findings = findings
  }
}

export interface HeldImport {
  readonly kind: ImportKind
  readonly sources: readonly string[]
  readonly counts: ImportCounts
  readonly findings: readonly LimitExcess[]
  /** Sources that are complete in the import. */
  readonly complete?: readonly string[]
  /** Homes of rejected rows, which are not missing. */
  readonly rejected?: readonly string[]
}

const INSERT = `
  with held as (
    insert into imports (kind, state, sources, counts, ended_at) values ($1, 'held', $2, $3, now()) returning id
  )
  insert into held_imports (import_id, findings, complete, rejected) select id, $4, $5, $6 from held returning import_id as id`

// A newer file of a source says more than an older one.
const REPLACE = `
  with replaced as (
    update imports set state = 'discarded', decided_at = now(), note = 'replaced by import ' || $1::bigint
    where state = 'held' and id <> $1 and sources && $2 returning id
  )
  delete from held_listings using replaced where import_id = replaced.id`

/** Writes a held import, which replaces one of the same source that is still held. Returns its number. */
export async function writeHeld(tx: Queryable, held: HeldImport): Promise<number> {
  const { kind, sources, counts, findings, complete = [], rejected = [] } = held
  const { rows } = await tx.query<{ id: number }>(INSERT, [
    kind,
    sources,
    JSON.stringify(counts),
    JSON.stringify(findings),
    complete,
    rejected,
  ])
  const { id } = rows[0]!
  await tx.query(REPLACE, [id, sources])
  return id
}

// Rows of known homes are staged, and new homes are stored by this transaction.
const ACCEPTED = (hasWithdrawn: boolean) => `
  create temporary table accepted on commit drop as
    select zpid, source, record from (
      select distinct on (zpid) zpid, source, record from staged s
      where ${hasWithdrawn ? 'not exists (select from withdrawn w where w.zpid = s.zpid)' : 'true'}
      order by zpid, position desc
    ) as latest
    union all
    select zpid, source, record from listings l
    where xmin = pg_current_xact_id()::xid and not exists (select from staged s where s.zpid = l.zpid);
  create unique index on accepted (zpid)`

const PAGE = `
  select a.zpid, a.source, a.record, i.source_key from accepted a
    left join record_identities i on i.zpid = a.zpid and i.source = a.source and i.source_key <> i.zpid
  where a.zpid > $1 order by a.zpid limit 500`

const COPY = `
  insert into held_listings (import_id, zpid, source, source_key, record)
    select $1, zpid, source, source_key, record
    from jsonb_to_recordset($2::jsonb) as r (zpid text, source text, source_key text, record text)
    on conflict do nothing`

interface AcceptedRow {
  readonly zpid: string
  readonly source: string
  readonly source_key: string | null
  readonly record: string
}

export interface HoldOptions {
  /** Whether the import has a table of withdrawn homes. */
  readonly hasWithdrawn: boolean
  /** Runs in the transaction that holds the import. */
  readonly beforeCommit?: ((tx: Queryable, importId: number) => Promise<void>) | undefined
}

/**
 * Holds the import of a file, whose rows are staged in `tx`. The caller then rolls `tx` back by throwing the result.
 *
 * @returns the error to throw
 */
export async function holdImport(
  database: Database,
  tx: Queryable,
  held: HeldImport,
  { hasWithdrawn, beforeCommit }: HoldOptions,
): Promise<ImportHeld> {
  await tx.query(ACCEPTED(hasWithdrawn))
  const id = await database.transaction(
    async (kept) => {
      const importId = await writeHeld(kept, held)
      const zpidOf = ({ zpid }: AcceptedRow) => zpid
      const read = async (last: string) => (await tx.query<AcceptedRow>(PAGE, [last])).rows
      for await (const rows of keysetPages('', zpidOf, read))
        await kept.query(COPY, [importId, JSON.stringify(rows)])
      await beforeCommit?.(kept, importId)
      return importId
    },
    { statementTimeoutMs: 0 },
  )
  return new ImportHeld(id, held.findings)
}
