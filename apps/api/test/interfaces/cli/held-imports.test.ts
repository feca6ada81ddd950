import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { jsonOf, lotlineWith } from './run-lotline.ts'

const test = withTestDatabase()

const home = (at: number, more: object = {}) => ({
  zpid: String(at),
  homeStatus: 'FOR_SALE',
  homeType: 'CONDO',
  price: 300_000 + at,
  latitude: 47.6,
  longitude: -122.3,
  ...more,
})

async function fileOf(records: readonly object[]): Promise<string> {
  const file = join(await makeTemporaryDirectory(), 'mls.ndjson')
  await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return file
}

it('a held import ends with exit code 3, is shown with its difference, and is discarded or released with a trail', async () => {
  const lotline = lotlineWith({ DATABASE_URL: test.url, LOTLINE_OPERATOR: 'ana' })
  const all = Array.from({ length: 60 }, (_, at) => home(at + 1))
  await lotline('listings', 'import', await fileOf(all))
  const bad = await fileOf(all.map((record) => ({ ...record, price: record.price * 100 })))

  const held = await lotline('listings', 'import', bad)
  expect(held).toMatchObject({ code: 3, stdout: '' })
  expect(held.stderr).toMatch(/Import \d+ is held: the median price .* lotline listings release \d+/)
  const [first] = await jsonOf(lotline, 'listings', 'held')
  expect(first).toMatchObject({ kind: 'file', state: 'held', sources: ['mls'] })
  const id = String(first.import)
  const shown = await jsonOf(lotline, 'listings', 'show', id)
  expect(shown).toMatchObject({ homes: { changed: 60, new: 0 }, max_watch_events: 0 })
  expect(shown.examples).toHaveLength(10)
  expect((await lotline('listings', 'show', id)).stdout).toContain('price 300001 → 30000100')
  expect(await jsonOf(lotline, 'listings', 'discard', id)).toEqual({ import: Number(id), discarded: true })
  expect(await lotline('listings', 'discard', id)).toMatchObject({ code: 1 })

  await lotline('listings', 'import', bad)
  const [second] = await jsonOf(lotline, 'listings', 'held')
  expect(await jsonOf(lotline, 'listings', 'release', String(second.import))).toMatchObject({ updated: 60 })
  expect(await jsonOf(lotline, 'listings', 'held')).toEqual([])
  const { rows } = await test.database.query('select action, object from operator_actions order by id')
  expect(rows).toMatchObject([
    { action: 'listings.import' },
    { action: 'listings.discard', object: `import ${id}` },
    { action: 'listings.release', object: `import ${second.import}` },
  ])
  const [last] = await jsonOf(lotline, 'listings', 'imports')
  expect(last).toMatchObject({ kind: 'release', state: 'applied' })
})

it('--limits are kept with the source, and unknown ones are refused', async () => {
  const lotline = lotlineWith({ DATABASE_URL: test.url })
  const cheap = await fileOf(Array.from({ length: 60 }, (_, at) => home(at + 1)))
  expect(await lotline('listings', 'import', cheap, '--limits', '{"speed": 1}')).toMatchObject({ code: 2 })
  expect(await lotline('listings', 'import', cheap, '--limits', '{"medianPrice": 1000}')).toMatchObject({
    code: 0,
  })
  expect(await lotline('listings', 'held')).toMatchObject({ stdout: 'No import is held.\n' })
})
