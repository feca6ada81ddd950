import { describe, expect, it } from 'vitest'
import { readImports } from '../../../src/data/imports/import-log.ts'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { removeListings } from '../../../src/data/ingest/remove-listings.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { rowsOf } from '../sources/dataset/rows.ts'

const test = withTestDatabase()

const home = (zpid: string, price: number) => ({ zpid, price, homeStatus: 'FOR_SALE' })
const last = async () => (await readImports(test.database, { limit: 1 }))[0]

describe('the log of imports', () => {
  it('has the number, the sources, the counts, and the changes of each import', async () => {
    await importListings(test.database, rowsOf([home('1', 10), home('2', 20)] as never), { source: 'mls' })
    expect(await last()).toMatchObject({
      kind: 'file',
      state: 'applied',
      sources: ['mls'],
      counts: { read: 2, inserted: 2 },
    })
    await importListings(test.database, rowsOf([home('1', 11), home('3', 30)] as never), { source: 'mls' })
    const second = (await last())!
    expect(second).toMatchObject({ counts: { read: 2, inserted: 1, updated: 1 } })
    const { rows } = await test.database.query<{ zpid: string }>(
      'select zpid from listing_changes where seq between $1 and $2 order by zpid',
      [second.first_change, second.last_change],
    )
    expect(rows).toEqual([{ zpid: '1' }, { zpid: '3' }])
  })

  it('has a removal by command, but not one that found nothing', async () => {
    await removeListings(test.database, { zpids: ['3'] })
    const removal = await last()
    expect(removal).toMatchObject({ kind: 'removal', sources: ['mls'], counts: { removed: 1 } })
    expect(removal!.first_change).toBe(removal!.last_change)
    await removeListings(test.database, { zpids: ['3'] })
    expect(await last()).toEqual(removal)
  })

  it('has an import that changed nothing, without changes, and no dry run', async () => {
    await importListings(test.database, rowsOf([home('1', 11)] as never), { source: 'mls' })
    const unchanged = await last()
    expect(unchanged).toMatchObject({ counts: { unchanged: 1 }, first_change: null, last_change: null })
    await importListings(test.database, rowsOf([home('1', 12)] as never), { source: 'mls', dryRun: true })
    expect(await last()).toEqual(unchanged)
  })
})
