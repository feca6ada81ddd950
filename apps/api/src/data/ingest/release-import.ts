// Applies a held import as it would have been applied: the same rows, through the same code. Only the judgement is that of a person.

import type { Database, Queryable } from '../../infrastructure/database.ts'
import { decide, isOfFeed, lockHeld, passNextRun, readHeldRows } from '../imports/held-imports.ts'
import { beginImport, endImport } from '../imports/import-log.ts'
import { lockImports } from '../listings/stage-listings.ts'
import { countsOf, type ImportReport, importRows, tidyListings } from './import-listings.ts'
import type { SourceRow } from './source-row.ts'

export type Release =
  | { readonly outcome: 'applied'; readonly importId: number; readonly report: ImportReport }
  /** The next run of the feed is not judged. */
  | { readonly outcome: 'next run'; readonly sources: readonly string[] }
  | { readonly outcome: 'not held' }

/**
 * @param by the name of the operator
 * @param beforeCommit runs in the transaction of a release
 */
export async function releaseImport(
  database: Database,
  id: number,
  by: string,
  beforeCommit: (tx: Queryable, release: Release) => Promise<void> = async () => {},
): Promise<Release> {
  const release = await database.transaction(
    async (tx): Promise<Release> => {
      await lockImports(tx)
      const held = await lockHeld(tx, id)
      if (!held) return { outcome: 'not held' }
      const { sources, complete, rejected } = held
      if (isOfFeed(held)) {
        await passNextRun(tx, id)
        await decide(tx, id, { state: 'applied', by, note: 'the next run is not judged' })
        const passed = { outcome: 'next run', sources } as const
        await beforeCommit(tx, passed)
        return passed
      }
      const begun = await beginImport(tx, 'release')
      const report = await importRows(tx, rowsOf(tx, id), {
        source: ({ file }) => file!,
        isPage: true,
        ...(complete.length > 0 && {
          complete: { sources: complete, allowRemovals: Number.POSITIVE_INFINITY, present: rejected },
        }),
      })
      await endImport(tx, begun, { sources, counts: countsOf(report) })
      await decide(tx, id, { state: 'applied', by, note: `released by import ${begun.id}` })
      const applied = { outcome: 'applied', importId: begun.id, report } as const
      await beforeCommit(tx, applied)
      return applied
    },
    { statementTimeoutMs: 0 },
  )
  if (release.outcome === 'applied') await tidyListings(database)
  return release
}

/** The rows, each with its source as the name of its file. A record with a key of its source is identified anew. */
async function* rowsOf(tx: Queryable, id: number): AsyncGenerator<readonly SourceRow[]> {
  let line = 0
  for await (const rows of readHeldRows(tx, id)) {
    yield rows.map(({ source, source_key: sourceKey, record }) => {
      line += 1
      const { zpid, ...facts } = JSON.parse(record) as Record<string, unknown>
      return { file: source, line, record: sourceKey === null ? { zpid, ...facts } : { ...facts, sourceKey } }
    })
  }
}
