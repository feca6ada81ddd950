// An import that is declared to be complete for its sources (`--complete`) withdraws the homes that it lacks. They stay in the data set
// with the status off market: lookups by zpid find them, searches do not. An incomplete file must not empty the data set, so there is a
// limit on how many may vanish at a time.

import { isObject, readZpid } from '../../domain/record.ts'
import { keysetPages, type Queryable } from '../../infrastructure/database.ts'
import { ListingBatch } from '../listings/listing-batch.ts'
import { stageBatch } from '../listings/stage-listings.ts'
import { toColumns } from '../sources/dataset/listing-columns.ts'
import { isWithinLimit, REMOVAL_LIMIT } from './removal-limit.ts'
import { contentOf, ImportFailure, type SourceRow } from './source-row.ts'

export interface Completion {
  /** Sources whose homes are all in the import. */
  readonly sources: readonly string[]
  /** This many homes may be withdrawn in any case. Above it, the limit holds. */
  readonly allowRemovals?: number
  /** Homes that are in the import although it has no usable row of them. */
  readonly present?: readonly string[]
  /** The whole import is judged afterward, so there is no limit here. */
  readonly isJudged?: boolean
}

/** The homes of rejected rows. They are in the file, so they are not withdrawn. */
export class RejectedHomes {
  readonly zpids: string[] = []
  /** The number of rows whose home is not known. */
  unknown = 0

  add(row: SourceRow): void {
    const record = contentOf(row)
    const zpid = isObject(record) ? readZpid(record.zpid) : undefined
    if (zpid === undefined) this.unknown += 1
    else this.zpids.push(zpid)
  }
}

const CREATE = `
  create temporary table withdrawn (n bigint generated always as identity primary key, zpid text not null, source text not null)
  on commit drop`

// A row that this import has inserted has the number of its transaction. All other rows of the import are staged.
const FIND = `
  insert into withdrawn (zpid, source)
    select l.zpid, l.source from listings l
    where l.source = any ($1) and l.kind <> 'off_market' and l.xmin <> pg_current_xact_id()::xid
      and l.zpid <> all ($2) and not exists (select from staged s where s.zpid = l.zpid)
    order by l.zpid`

const COUNT = `
  select source, count(*) as homes, (select count(*) from withdrawn w where w.source = l.source) as withdrawn
  from listings l
  where source = any ($1) and kind <> 'off_market' and xmin <> pg_current_xact_id()::xid
  group by source order by source`

const PAGE = `
  select w.n, l.zpid, l.source, l.record from withdrawn w join listings l using (zpid)
  where w.n > $1 order by w.n limit 250`

/**
 * Stages the homes that the import lacks as off market, after all its rows were staged. Returns their number.
 *
 * @throws {ImportFailure} when more would vanish than the limit allows, or when unreadable rows may be the missing homes
 */
export async function stageWithdrawn(
  tx: Queryable,
  { sources, allowRemovals = 0, isJudged = false }: Completion,
  rejected: RejectedHomes,
): Promise<number> {
  await tx.query(CREATE)
  const { rowCount: missing } = await tx.query(FIND, [sources, rejected.zpids])
  if (missing === 0) return 0
  if (missing > allowRemovals) {
    if (rejected.unknown > 0) throw new ImportFailure(unreadable(missing, rejected.unknown))
    if (!isJudged) await requireWithinLimit(tx, sources, missing)
  }
  const numberOf = ({ n }: WithdrawnHome) => n
  for await (const homes of keysetPages(0, numberOf, (last) => readPage(tx, last))) {
    const batch = new ListingBatch()
    for (const { n, source, record } of homes)
      batch.add(n, toColumns({ ...JSON.parse(record), homeStatus: 'OFF_MARKET' }, source))
    await stageBatch(tx, batch)
  }
  return missing
}

interface WithdrawnHome {
  readonly n: number
  readonly source: string
  readonly record: string
}

async function readPage(tx: Queryable, last: number): Promise<WithdrawnHome[]> {
  return (await tx.query<WithdrawnHome>(PAGE, [last])).rows
}

async function requireWithinLimit(tx: Queryable, sources: readonly string[], all: number): Promise<void> {
  const { rows } = await tx.query<{ source: string; homes: number; withdrawn: number }>(COUNT, [sources])
  for (const { source, homes, withdrawn } of rows) {
    if (isWithinLimit(withdrawn, homes)) continue
    const percent = Math.round((withdrawn / homes) * 100)
    throw new ImportFailure(
      `The import lacks ${withdrawn} of the ${homes} homes of the source "${source}" (${percent}%). If more than ` +
        `${REMOVAL_LIMIT.share * 100}% are missing, the file may be incomplete. Nothing was changed. If the file is ` +
        `complete, repeat the import with --allow-removals ${all}.`,
    )
  }
}

function unreadable(missing: number, unknown: number): string {
  return (
    `The import lacks homes (${missing}), and rows of it could not be read (${unknown}) that may be these homes. Nothing ` +
    `was changed. Correct the rows, or repeat the import with --allow-removals ${missing}.`
  )
}
