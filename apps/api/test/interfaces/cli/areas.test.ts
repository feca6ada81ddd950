import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { findPlaces } from '../../../src/data/places/find-places.ts'
import { importPlaces, type PlaceImport, removePlaces } from '../../../src/data/places/import-places.ts'
import { WORLD } from '../../../src/domain/search/area-search.ts'
import { restoreBackup } from '../../../src/infrastructure/database/backup/restore-backup.ts'
import { writeBackup } from '../../../src/infrastructure/database/backup/write-backup.ts'
import { isRefusal } from '../../../src/infrastructure/platform/refusal.ts'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { deleteWatch } from '../../../src/work/watches/delete-watch.ts'
import { WATCH_EVENTS } from '../../../src/work/watches/home-event.ts'
import { createWatch } from '../../../src/work/watches/watch-store.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { createTestDatabase, withTestDatabase } from '../../setup/test-database.ts'
import { jsonOf, lotlineWith } from './run-lotline.ts'

const testDatabase = withTestDatabase()
const database = () => testDatabase.database
const lotline = (...args: readonly string[]) => lotlineWith({ DATABASE_URL: testDatabase.url })(...args)

const square = (x: number, size = 0.1) => [
  [x, 47],
  [x + size, 47],
  [x + size, 47 + size],
  [x, 47 + size],
  [x, 47],
]
const feature = (id: unknown, name: unknown, ring: readonly unknown[] = square(-122)) => ({
  type: 'Feature',
  properties: { id, name },
  geometry: { type: 'Polygon', coordinates: [ring] },
})
const BOW_TIE = feature('bow', 'Bow', [square(0)[0], square(0)[2], square(0)[1], square(0)[3], square(0)[0]])

async function fileOf(name: string, content: string | Buffer): Promise<string> {
  const path = join(await makeTemporaryDirectory(), name)
  await writeFile(path, content)
  return path
}
const collection = (...features: readonly unknown[]) =>
  JSON.stringify({ type: 'FeatureCollection', features })
const lines = (...features: readonly unknown[]) => features.map((one) => JSON.stringify(one)).join('\n')

const ORDER: PlaceImport = {
  kind: 'place',
  fields: { id: 'id', name: 'name' },
  source: 'Test',
  license: 'CC0',
  vintage: '2026',
}
const importText = async (name: string, content: string | Buffer, order: Partial<PlaceImport> = {}) =>
  importPlaces(database(), await fileOf(name, content), { ...ORDER, ...order })
const boundaries = async () =>
  (await database().query<{ count: number }>('select count(*) as count from place_boundaries')).rows[0]!.count

beforeEach(async () => {
  await database().query('delete from places')
  await database().query('delete from place_boundaries')
})

describe('lotline areas', () => {
  it('import reports invalid boundaries by line and imports the others; list and remove print the places', async () => {
    const file = await fileOf(
      'towns.geojsonl',
      `${lines(feature('a', 'Alpha'), BOW_TIE)}\nnot json\n${lines(feature('b', 'Beta', square(-121)))}\n`,
    )
    const args = ['areas', 'import', file, '--kind', 'place', '--id-field', 'id', '--name-field', 'name']
    const named = [...args, '--source', 'Test towns', '--license', 'CC0']
    const [strict, dry, wrong] = await Promise.all([
      lotline(...named, '--strict'),
      jsonOf(lotline, ...named, '--dry-run'),
      lotline(...args),
    ])
    expect([strict.code, strict.stderr]).toEqual([
      1,
      'lotline: Nothing was imported, because boundaries were rejected (--strict).\n',
    ])
    expect(strict.stdout).toMatch(
      /^Nothing was written\.[\s\S]*\nrejected +2\n[\s\S]*\nline 2 +bow +coordinates\.0\.\d/,
    )
    expect(dry).toMatchObject({ added: 2, replaced: 0, written: false })
    expect(wrong.code).toBe(2)
    expect(await boundaries()).toBe(0)

    const imported = await jsonOf(lotline, ...named, '--vintage', '2026')
    expect(imported).toEqual({
      added: 2,
      replaced: 0,
      written: true,
      rejected: [
        { feature: 2, line: 2, id: 'bow', reason: expect.stringContaining('crosses or touches itself') },
        { feature: 3, line: 3, id: null, reason: expect.stringContaining('not JSON') },
      ],
    })
    const [list, listed] = await Promise.all([jsonOf(lotline, 'areas', 'list'), lotline('areas', 'list')])
    expect(list).toEqual([
      { kind: 'place', source: 'Test towns', license: 'CC0', vintage: '2026', places: 2, positions: 10 },
    ])
    expect(listed.stdout).toMatch(
      /^KIND +PLACES +POSITIONS +VINTAGE +LICENSE +SOURCE\nplace +2 +10 +2026 +CC0 +Test towns\n$/,
    )
    expect(await jsonOf(lotline, 'areas', 'remove', '--kind', 'place', '--id', 'a')).toEqual({ removed: 1 })
    const missing = await lotline('areas', 'remove', '--kind', 'place', '--id', 'a')
    expect([missing.code, missing.stderr]).toEqual([1, 'lotline: No imported place fits.\n'])
  })
})

describe('an import of places', () => {
  it('reads a collection, a single feature, and lines, each also as gzip', async () => {
    const files: [string, string][] = [
      ['one.geojson', JSON.stringify(feature('a', 'Alpha'))],
      ['many.geojson', collection(feature('a', 'Alpha'), feature('b', 'Beta'))],
      ['lines.ndjson', `\u001e${lines(feature('a', 'Alpha'))}`],
    ]
    for (const [name, text] of files) {
      expect(await importText(name, text), name).toMatchObject({ written: true, rejected: [] })
      expect((await importText(`${name}.gz`, gzipSync(text))).added, name).toBe(0)
    }
    for (const text of ['{', '[]', '{"type":"Point","coordinates":[0,0]}', collection()])
      await expect(importText('broken.geojson', text)).rejects.toThrow(/Nothing was changed/)
    await expect(importPlaces(database(), '/nowhere.geojson', ORDER)).rejects.toThrow('There is no file')
  })

  it('rejects rows without id or name, repeated ids, and ZIP codes that lost their leading zeros', async () => {
    const rejected = async (features: readonly unknown[], order: Partial<PlaceImport> = {}) =>
      (await importText('x.geojson', collection(...features), order)).rejected.map(({ feature }) => feature)
    expect(
      await rejected([feature(' ', 'A'), feature('b', null), feature('c', 'C'), feature('c', 'D'), null, 7]),
    ).toEqual([1, 2, 4, 5, 6])
    expect(
      await rejected([feature('02134', 'A'), feature(2134, 'B'), feature(98109, 'C')], { kind: 'zip' }),
    ).toEqual([2])
  })

  it('replaces a place; an unused old boundary is removed after 40 days, but never while a watch uses it', async () => {
    await importText('a.geojson', collection(feature('a', 'Alpha')))
    const area = { type: 'place', kind: 'place', name: 'alpha' } as const
    const asked = { status: 'for_sale', bbox: WORLD, areas: [area] } as const
    const search = await findPlaces(database(), asked, { placeOf: () => 'area', keep: true })
    if (isRefusal(search)) throw new Error(search.message)
    const { accountId, keyId } = await openAccount(database(), { plan: 'custom' })
    const watch = { accountId, keyId, name: 'Alpha', watched: { search }, events: WATCH_EVENTS, metadata: {} }
    const made = await createWatch(database(), watch, { watches: 1, matches: 1 })
    if (!made.created) throw new Error(made.because)
    const replaced = await importText('a.geojson', collection(feature('a', 'Alpha', square(-120))))
    expect(replaced).toMatchObject({ added: 0, replaced: 1 })
    await database().query(`update place_boundaries set kept_at = now() - interval '41 days'`)
    const removeNone = () => removePlaces(database(), { kind: 'place', id: 'none' })
    await removeNone()
    expect(await boundaries()).toBe(2)
    await deleteWatch(database(), accountId, made.id)
    await database().query('update place_boundaries set kept_at = now()')
    await removeNone()
    expect(await boundaries()).toBe(2)
    await database().query(`update place_boundaries set kept_at = now() - interval '41 days'`)
    await removeNone()
    expect(await boundaries()).toBe(1)
  })

  it('distinguishes places of one name by the county and state of its file, or of the map', async () => {
    const town = (id: string, x: number, more: object = {}) => {
      const one = feature(id, 'Springfield', square(x, 0.01))
      return { ...one, properties: { ...one.properties, ...more } }
    }
    await importText('towns.geojson', collection(town('a', -122.3), town('b', -100), town('c', 0)))
    await importText(
      'more.geojson',
      collection(town('d', -122.3, { county: 'Somewhere', state: 'oregon' })),
      {
        fields: { ...ORDER.fields, county: 'county', state: 'state' },
      },
    )
    const ask = (name: string) =>
      findPlaces(database(), { areas: [{ type: 'place', kind: 'place', name }] }, { placeOf: () => 'area' })
    const refused = await ask('Springfield')
    expect(refused).toMatchObject({
      code: 'ambiguous_place',
      details: {
        places: [
          { id: 'a', state: 'WA' },
          { id: 'b' },
          { id: 'c', county: null, state: null },
          { id: 'd', county: 'Somewhere', state: 'OR' },
        ],
      },
    })
    expect(await ask('Springfield, OR')).toMatchObject({ areas: [{ id: 'd' }] })
    expect(await ask('Springfield, Washington')).toMatchObject({ areas: [{ id: 'a' }] })
  })

  it('takes precedence over the built-in county with the same id or name', async () => {
    await importText('king.geojson', collection(feature('53033', 'King (exact)')), { kind: 'county' })
    const ask = (which: object) =>
      findPlaces(
        database(),
        { areas: [{ type: 'place', kind: 'county', ...which }] },
        { placeOf: () => 'area' },
      )
    expect(await ask({ id: '53033' })).toMatchObject({ areas: [{ name: 'King (exact)', source: 'Test' }] })
    expect(await ask({ name: 'King County, WA' })).toMatchObject({ code: 'unknown_place' })
    expect(await ask({ name: 'king exact' })).toMatchObject({ areas: [{ id: '53033', source: 'Test' }] })
  })

  it('is in a backup', async () => {
    await importText('a.geojson', collection(feature('a', 'Alpha')))
    const stream = new PassThrough()
    const [file] = await Promise.all([buffer(stream), writeBackup(database(), stream)])
    const other = await createTestDatabase()
    try {
      const back = new PassThrough()
      back.end(file)
      await restoreBackup(other.database, back)
      const places = 'select * from places join place_boundaries on key = boundary'
      expect((await other.database.query(places)).rows).toEqual((await database().query(places)).rows)
    } finally {
      await other.drop()
    }
  })
})
