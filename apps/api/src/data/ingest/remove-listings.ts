// Removes listings for good. After the commit a removed home is gone everywhere: the statement that charges for a cached copy finds no
// listing of its generation, and a search finds no row. Rows of finished jobs stay, because they are paid for, unless the home's feed
// forbids to show them.

import type { Database, Queryable } from '../../infrastructure/database.ts'
import { beginImport, endImport, forgetImport } from '../imports/import-log.ts'
import { deleteListings, type RemovedRow } from '../listings/delete-listings.ts'
import { lockImports } from '../listings/stage-listings.ts'
import { tidyListings } from './import-listings.ts'

/** The listings to remove: single homes, or all of a source. */
export type Removal = { readonly zpids: readonly string[] } | { readonly source: string }

export interface RemovalReport {
  readonly removed: number
  /** The number of removed listings by source. */
  readonly bySource: Readonly<Record<string, number>>
  /** Homes in the request that the data set does not have. */
  readonly notFound: readonly string[]
}

const FIND = (condition: string) => `select zpid, source from listings where ${condition}`

/** Removes listings in one transaction, or with `dryRun` only counts them. Waits for an import to end. */
export async function removeListings(
  database: Database,
  removal: Removal,
  {
    dryRun = false,
    beforeCommit = async () => {},
  }: {
    readonly dryRun?: boolean
    /** Runs in the transaction of a removal that removes something. */
    readonly beforeCommit?: (tx: Queryable, report: RemovalReport, importId: number) => Promise<void>
  } = {},
): Promise<RemovalReport> {
  const [condition, value] =
    'zpids' in removal
      ? (['zpid = any($1::text[])', removal.zpids] as const)
      : (['source = $1', removal.source] as const)
  const report = await database.transaction(
    async (tx) => {
      await lockImports(tx)
      const begun = dryRun ? undefined : await beginImport(tx, 'removal')
      const rows = dryRun
        ? (await tx.query<RemovedRow>(FIND(condition), [value])).rows
        : await deleteListings(tx, condition, [value])
      const bySource: Record<string, number> = {}
      for (const { source } of rows) bySource[source] = (bySource[source] ?? 0) + 1
      const found = new Set(rows.map(({ zpid }) => zpid))
      const notFound = 'zpids' in removal ? removal.zpids.filter((zpid) => !found.has(zpid)) : []
      const report = { removed: rows.length, bySource, notFound }
      if (begun && report.removed > 0) {
        await endImport(tx, begun, { sources: Object.keys(bySource), counts: { removed: report.removed } })
        await beforeCommit(tx, report, begun.id)
      } else if (begun) await forgetImport(tx, begun)
      return report
    },
    { statementTimeoutMs: 0 },
  )
  if (!dryRun && report.removed > 0) await tidyListings(database)
  return report
}
