// Imports with their numbers in the log of imports, and their undo.

import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { removeListings } from '../../../src/data/ingest/remove-listings.ts'
import type { Database } from '../../../src/infrastructure/database/database.ts'
import { evaluateStep } from '../../../src/work/watches/evaluate.ts'
import { undoImport } from '../../../src/work/watches/undo-import.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { PRICE } from './watch-tools.ts'

export const OPERATOR = { name: 'Ada', via: 'command' } as const

/** Imports records as one import. Returns its number. */
export async function importLogged(
  database: Database,
  records: readonly object[],
  source = 'mls',
): Promise<number> {
  let id = 0
  await importListings(database, rowsOf(records), {
    source,
    async beforeCommit(_tx, _report, importId) {
      id = importId
    },
  })
  return id
}

/** Removes homes, at least one of which is stored, as one import. Returns its number. */
export async function removeLogged(database: Database, zpids: readonly string[]): Promise<number> {
  let id = 0
  await removeListings(
    database,
    { zpids },
    {
      async beforeCommit(_tx, _report, importId) {
        id = importId
      },
    },
  )
  return id
}

/** Undoes an import, which must not be refused. */
export async function undo(database: Database, importId: number) {
  const result = await undoImport(database, OPERATOR, importId)
  if (!result.reverted) throw new Error(result.because)
  return result.undo
}

const LISTINGS = `
  select to_jsonb(l) - 'generation' as home from listings l order by zpid`

/** All stored homes without their generations. */
export async function listingsOf(database: Database): Promise<readonly object[]> {
  return (await database.query<{ home: object }>(LISTINGS)).rows.map(({ home }) => home)
}

/** One step of a sequence. */
export type Step =
  | { readonly kind: 'import'; readonly records: readonly object[] }
  | { readonly kind: 'remove'; readonly zpids: readonly string[] }
  | { readonly kind: 'undo'; readonly importId: number }
  | { readonly kind: 'evaluate' }

/** Does a step. Returns the number of the import, if it is one that changed anything. */
export async function runStep(database: Database, step: Step): Promise<number | undefined> {
  switch (step.kind) {
    case 'import':
      return importLogged(database, step.records)
    case 'remove':
      return (await removeLogged(database, step.zpids)) || undefined
    case 'undo':
      await undo(database, step.importId)
      return undefined
    case 'evaluate': {
      for (let isMore = true; isMore; ) isMore = (await evaluateStep(database, PRICE)).isMore
      return undefined
    }
  }
}
