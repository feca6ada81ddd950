import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { jsonOf, lotlineWith } from './run-lotline.ts'

const test = withTestDatabase()
const lotline = (...args: readonly string[]) => lotlineWith({ DATABASE_URL: test.url })(...args)

async function fileOf(name: string, content: string | Buffer): Promise<string> {
  const path = join(await makeTemporaryDirectory(), name)
  await writeFile(path, content)
  return path
}

const MAPPING = 'record: { zpid: "{id}", price: "{price}", homeType: CONDO, address: { state: WA } }'

it('listings import reports its results, and the rejected rows with reasons', async () => {
  const file = await fileOf('homes.ndjson.gz', gzipSync('{"zpid":"1"}\n{"zpid":"x"}\nnull\n{"zpid":"2"}\n'))
  const ran = await lotline('listings', 'import', file)
  expect(ran.stdout).toMatch(/^Imported homes\.ndjson\.gz\.\nsource +homes\nread +4\ninserted +2\n/)
  expect(ran.stdout).toContain(
    '\n  line 2 has no usable zpid (1 to 20 digits): "x"\n  line 3 is not a JSON object',
  )
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(await jsonOf(lotline, 'listings', 'import', file)).toMatchObject({
    dry_run: false,
    read: 4,
    inserted: 0,
    updated: 0,
    unchanged: 2,
    duplicates: 0,
    rejected: 2,
    taken_over: 0,
    withdrawn: 0,
    sources: ['homes'],
    sample_listings: 0,
    rejections: [
      { line: 2, reason: 'has no usable zpid (1 to 20 digits): "x"' },
      { line: 3, reason: 'is not a JSON object' },
    ],
  })
})

it('listings import reads CSV through a mapping file, and writes nothing on a dry run', async () => {
  const file = await fileOf('homes.csv', 'id,price\n3,5\n4,6\n')
  const map = await fileOf('map.yaml', MAPPING)
  expect((await lotline('listings', 'import', file, '--map', map, '--dry-run')).stdout).toMatch(
    /^Nothing was written\. Importing homes\.csv would give:\nsource +homes\nread +2\ninserted +2\n/,
  )
  expect(await jsonOf(lotline, 'listings', 'import', file, '--map', map)).toMatchObject({ inserted: 2 })
})

it('listings import treats several files as one import, and names the file of a rejected row', async () => {
  const one = await fileOf('one.ndjson', '{"zpid":"21","price":1}\n{"zpid":"22"}\n')
  const two = await fileOf('two.ndjson.gz', gzipSync('null\n{"zpid":"21","price":2}\n'))
  const cut = await fileOf('cut.ndjson.gz', gzipSync('{"zpid":"23"}\n'.repeat(1000)).subarray(0, -10))
  const failed = await lotline('listings', 'import', one, two, cut)
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(failed.stderr).toMatch(/cut\.ndjson\.gz is cut off/)
  const counts = { read: 4, inserted: 2, updated: 0, unchanged: 0, duplicates: 1, rejected: 1 }
  const rejections = [{ file: two, line: 1, reason: 'is not a JSON object' }]
  expect(await jsonOf(lotline, 'listings', 'import', one, two, '--dry-run')).toMatchObject({
    dry_run: true,
    ...counts,
    taken_over: 0,
    withdrawn: 0,
    sources: ['one', 'two'],
    sample_listings: 0,
    rejections,
  })
  const ran = await lotline('listings', 'import', one, two)
  expect(ran.stdout).toMatch(/^Imported 2 files\.\nsources +one, two\nread +4\ninserted +2\n/)
  expect(ran.stdout).toContain(`\n  line 1 of ${two} is not a JSON object`)
  const { rows } = await test.database.query(
    "select zpid, generation, record from listings where zpid in ('21', '22') order by zpid",
  )
  expect(rows).toEqual([
    { zpid: '21', generation: 1, record: '{"zpid":"21","price":2}' },
    { zpid: '22', generation: 1, record: '{"zpid":"22"}' },
  ])
  await test.database.query("delete from listings where zpid in ('21', '22')")
})

it('listings import assigns listings to the given source, and counts those taken over from another source', async () => {
  const file = await fileOf('Feed A_2026-11-22.ndjson', '{"zpid":"31"}\n{"zpid":"32"}\n')
  expect(await jsonOf(lotline, 'listings', 'import', file)).toMatchObject({
    inserted: 2,
    sources: ['feed-a'],
  })
  const other = await fileOf('b.ndjson', '{"zpid":"32"}\n')
  for (const dryRun of [['--dry-run'], []]) {
    expect(await jsonOf(lotline, 'listings', 'import', other, '--source', 'feed-b', ...dryRun)).toMatchObject(
      { updated: 1, unchanged: 0, taken_over: 1, sources: ['feed-b'] },
    )
  }
  expect(await jsonOf(lotline, 'listings', 'stats')).toMatchObject({
    by_source: { homes: 4, 'feed-a': 1, 'feed-b': 1 },
    newest_generation: 1,
  })
  await test.database.query("delete from listings where zpid in ('31', '32')")
})

it('listings import shows warnings and repeated homes, writes all rows to --report, and refuses them with --strict', async () => {
  const rows = [
    '{"zpid":"51","homeStatus":"ACTIVE"}',
    '{"zpid":"51","homeStatus":"FOR_SALE","price":-3}',
    'x',
  ]
  const file = await fileOf('homes.ndjson', rows.join('\n'))
  const report = await fileOf('rows.csv', '')
  const ran = await lotline('listings', 'import', file, '--dry-run', '--report', report)
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toContain(
    '  unknown_status (1): homeStatus is missing or unknown, so no search finds the home\n' +
      '    line 1 has an unknown homeStatus: "ACTIVE"\n  negative_price (1): ',
  )
  expect(ran.stdout).toMatch(/These rows have a zpid that came before; .*:\n {2}line 2: 51\n/)
  expect(ran.stdout).toContain(
    'The first homes, as they would be stored:\n  no address | ACTIVE | no home type | no price | ? bd | ? ba | ? sqft | no position\n',
  )
  expect((await readFile(report, 'utf8')).trim().split('\r\n')).toHaveLength(6)
  const strict = await lotline('listings', 'import', file, '--strict')
  expect(strict).toMatchObject({ code: 1, stdout: '' })
  expect(strict.stderr).toMatch(
    /^lotline: The import has 1 rejected rows and 2 warnings, and --strict allows/,
  )
  const unwritable = await lotline('listings', 'import', file, '--report', '/no/such/folder/rows.csv')
  expect(unwritable).toMatchObject({ code: 1, stdout: '' })
  expect(unwritable.stderr).toMatch(/The report cannot be written: .*Nothing was changed\./)
})

it('listings import --dry-run shows the first five homes as they would be stored', async () => {
  const line = (at: number) =>
    `{"zpid":"7${at}","homeStatus":"FOR_SALE","homeType":"CONDO","price":500000,"bedrooms":3,"bathrooms":2.5,"livingArea":1500,` +
    `"latitude":47.6,"longitude":-122.3,"address":{"streetAddress":"${at} Elm St","city":"Austin","state":"TX","zipcode":"78701"}}\n`
  const file = await fileOf('homes.ndjson', Array.from({ length: 7 }, (_, at) => line(at)).join(''))
  const ran = await lotline('listings', 'import', file, '--dry-run')
  expect(ran.stdout).toContain(
    '\n  4 Elm St, Austin, TX, 78701 | FOR_SALE | CONDO | $500,000 | 3 bd | 2.5 ba | 1,500 sqft | 47.6, -122.3\n',
  )
  expect(ran.stdout).not.toContain('5 Elm St')
  const { first_homes: homes } = (await jsonOf(lotline, 'listings', 'import', file, '--dry-run')) as {
    first_homes: object[]
  }
  expect(homes).toHaveLength(5)
  expect(homes[0]).toMatchObject({ address: '0 Elm St, Austin, TX, 78701', price: 500_000, latitude: 47.6 })
})

it('listings import --merge changes the fields that its rows have', async () => {
  const whole =
    '{"zpid":"81","homeStatus":"FOR_SALE","price":5,"bedrooms":3,"latitude":47.6,"longitude":-122.3}\n'
  await lotline('listings', 'import', await fileOf('feed.ndjson', whole))
  const changes = await fileOf('changes.ndjson', '{"zpid":"81","price":6}\n')
  expect(await jsonOf(lotline, 'listings', 'import', changes, '--merge')).toMatchObject({
    updated: 1,
    warnings: [],
  })
  const map = await fileOf('changes.yaml', 'rows: merge\nrecord: { zpid: "{id}", bedrooms: "{beds}" }')
  const csv = await fileOf('changes.csv', 'id,beds\n81,4\n')
  expect(await jsonOf(lotline, 'listings', 'import', csv, '--map', map)).toMatchObject({ updated: 1 })
  const { rows } = await test.database.query<{ record: string }>(
    "select record from listings where zpid = '81'",
  )
  expect(JSON.parse(rows[0]!.record)).toMatchObject({ price: 6, bedrooms: 4, homeStatus: 'FOR_SALE' })
  await test.database.query("delete from listings where zpid = '81'")
})

it('listings map quotes paths in the command that it prints, and says if a file looks like changes', async () => {
  const file = await fileOf("it's new.csv", 'id,price\n1,5\n')
  const { stdout } = await lotline('listings', 'map', file, '--out', `${file} map.yaml`)
  expect(stdout).toContain(`it'\\''s new.csv' --map '`)
  expect(stdout).toContain('write rows: merge in the mapping')
})

it('listings map writes a mapping to edit for import, and never overwrites a file', async () => {
  const file = await fileOf('sales.csv', 'id,status,price\n61,Active,5\n62,Sold,6\n')
  const out = join(await makeTemporaryDirectory(), 'sales.yaml')
  const printed = await lotline('listings', 'map', file)
  expect(printed).toMatchObject({ code: 0, stderr: '' })
  const written = await lotline('listings', 'map', file, '--out', out)
  expect(written.stdout).toMatch(/^Wrote .*sales\.yaml \(guessed; correct it before you import\)\.\n/)
  expect(await readFile(out, 'utf8')).toBe(printed.stdout)
  expect(
    await jsonOf(lotline, 'listings', 'import', file, '--map', out, '--strict', '--dry-run'),
  ).toMatchObject({
    inserted: 2,
    rejected: 0,
  })
  const again = await lotline('listings', 'map', file, '--out', out)
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toMatch(/sales\.yaml exists\. Name a new file\./)
})

it.each([
  ['--source', 'Feed A'],
  ['--source', ''],
  ['--source', 'x'.repeat(64)],
  ['--source', 'sample'],
])('listings import refuses the source name %s %s', async (...option) => {
  const file = await fileOf('homes.ndjson', '{"zpid":"31"}\n')
  const ran = await lotline('listings', 'import', file, ...option)
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toMatch(/source name has 1 to 63 lowercase|is the built-in sample/)
})

it('listings import refuses a source with the name of the sample', async () => {
  const file = await fileOf('sample-2026.ndjson', '{"zpid":"31"}\n')
  const ran = await lotline('listings', 'import', file)
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(ran.stderr).toMatch(/Name its source with --source NAME\./)
})

it('listings import warns that the sample still exists, and listings remove removes it', async () => {
  const file = await fileOf('own.ndjson', '{"zpid":"41"}\n{"zpid":"42"}\n')
  await importListings(test.database, rowsOf([{ zpid: '900' }, { zpid: '901' }]), { source: 'sample' })
  const imported = await lotline('listings', 'import', file)
  expect(imported.stdout).toMatch(
    /still has 2 sample listings, which are invented\. To remove them:\n {2}lotline listings remove --sample\n$/,
  )
  expect(await jsonOf(lotline, 'listings', 'remove', '--sample', '--dry-run')).toMatchObject({ removed: 2 })
  const removed = await lotline('listings', 'remove', '--sample')
  expect(removed).toMatchObject({ code: 0, stderr: '' })
  expect(removed.stdout).toMatch(/^Removed\.\nremoved +2\n {2}of sample +2\n/)
  expect(await jsonOf(lotline, 'listings', 'import', file)).toMatchObject({ sample_listings: 0 })

  expect(await jsonOf(lotline, 'listings', 'remove', '41', '43')).toEqual({
    dry_run: false,
    removed: 1,
    by_source: { own: 1 },
    not_found: ['43'],
  })
  expect(await jsonOf(lotline, 'listings', 'remove', '--file', file)).toMatchObject({
    removed: 1,
    not_found: ['41'],
  })
  const REFUSED: readonly (readonly [readonly string[], number, RegExp])[] = [
    [[], 2, /Name the listings in one way/],
    [['41', '--sample'], 2, /Name the listings in one way/],
    [['x1'], 2, /A zpid has 1 to 20 digits/],
    [['41'], 1, /has no listing with zpid 41\./],
    [['--source', 'mls'], 1, /has no source "mls"\. Its sources are /],
    [['--file', 'none.txt'], 1, /There is no file none\.txt/],
  ]
  for (const [args, code, message] of REFUSED) {
    const ran = await lotline('listings', 'remove', ...args)
    expect(ran).toMatchObject({ code, stdout: '' })
    expect(ran.stderr).toMatch(message)
  }
})

it('listings stats counts the listings', async () => {
  expect(await jsonOf(lotline, 'listings', 'stats')).toEqual({
    total: 4,
    buildings: 0,
    unplaced: 4,
    newest_generation: 1,
    by_source: { homes: 4 },
    by_kind: { off_market: 4 },
    by_home_type: { CONDO: 2, unknown: 2 },
    by_state: { WA: 2, unknown: 2 },
    kept_for_undo: expect.any(Number),
    kept_for_undo_bytes: expect.any(Number),
  })
  const { stdout } = await lotline('listings', 'stats')
  expect(stdout).toMatch(/^listings +4\n/)
  expect(stdout).toMatch(/\nSTATE +LISTINGS\nWA +2\nunknown +2\n$/)
})

it('listings import fails with a one-line reason, and changes nothing', async () => {
  const csv = await fileOf('homes.csv', 'id,price\n3,5\n')
  const broken = await fileOf('broken.csv', 'id,price\n3,7\n4,"8\n')
  const packed = gzipSync('{"zpid":"1","price":9}\n'.repeat(1000))
  const cut = await fileOf('cut.ndjson.gz', packed.subarray(0, packed.length - 10))
  const map = await fileOf('map.yaml', MAPPING)
  const other = await fileOf('other.csv', 'id\n3\n')
  const FAILURES: readonly (readonly [readonly string[], RegExp])[] = [
    [['none.ndjson'], /There is no file none\.ndjson\./],
    [[csv], /homes\.csv is CSV: say what its columns mean with --map FILE\./],
    [[csv, '--map', 'none.yaml'], /There is no mapping file none\.yaml\./],
    [[csv, '--map', csv], /is not a mapping/],
    [[broken, '--map', map], /not valid CSV at line 3: a quote is never closed\. Nothing was changed\./],
    [[csv, other, '--map', map], /other\.csv: The file has no column price\./],
    [[cut], /cut\.ndjson\.gz is cut off: its compressed data ends too early\. Nothing was changed\./],
    [[map], /None of the 1 rows is a record: line 1 is not JSON/],
  ]
  for (const [args, message] of FAILURES) {
    const ran = await lotline('listings', 'import', ...args)
    expect(ran).toMatchObject({ code: args[0] === csv && args.length === 1 ? 2 : 1, stdout: '' })
    expect(ran.stderr).toMatch(message)
    expect(ran.stderr).toMatch(/^lotline: [^\n]+\n$/)
  }
  expect(await jsonOf(lotline, 'listings', 'stats')).toMatchObject({ total: 4, newest_generation: 1 })
})

it('listings import --complete takes missing homes of its own source off the market, within a limit', async () => {
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `{"zpid":"${from + at}","homeStatus":"FOR_SALE"}\n`).join('')
  const full = await fileOf('feed_2026-11-21.ndjson', lines(7_000, 7_030))
  await lotline('listings', 'import', full)
  const next = await fileOf('feed_2026-11-22.ndjson', lines(7_003, 7_030))
  const ran = await lotline('listings', 'import', next, '--complete')
  expect(ran.stdout).toMatch(/unchanged +27\nwent off the market +3\n/)
  const cut = await fileOf('feed_2026-11-23.ndjson', lines(7_003, 7_010))
  const refused = await lotline('listings', 'import', cut, '--complete')
  expect(refused).toMatchObject({ code: 3, stdout: '' })
  expect(refused.stderr).toContain('--allow-removals 20 permits it')
  const allowed = ['listings', 'import', cut, '--complete', '--allow-removals', '20'] as const
  expect(await jsonOf(lotline, ...allowed)).toMatchObject({ withdrawn: 20, unchanged: 7 })
  const garbled = await fileOf(
    'feed_2026-11-24.ndjson',
    lines(7_000, 7_030).replaceAll('}', ',"MlgCanView":"?"}'),
  )
  const unread = await lotline('listings', 'import', garbled)
  expect(unread.stderr).toMatch(/would remove or hide 30 of the 30 homes .*--allow-removals 30[.]\n$/)
  const plain = await fileOf('feed.ndjson', '{"zpid":"7005","MlgCanView":"N"}\n{"zpid":"x"}\n')
  const strict = await lotline('listings', 'import', plain, '--strict')
  expect(strict.stderr).toContain(
    'Rows that were read forbid to show stored homes: removed 1, hid the address of 0.',
  )
  const noted = 'select after from operator_actions order by id desc limit 1'
  expect((await test.database.query<{ after: object }>(noted)).rows).toMatchObject([
    { after: { failed: true, removed: 1, addressesHidden: 0 } },
  ])
  const allow = ['listings', 'import', garbled, '--allow-removals', '29'] as const
  expect(await jsonOf(lotline, ...allow)).toMatchObject({ rejected: 30, removed: 29 })
})

it('listings changes lists the changes of imports and removals, and continues from a number', async () => {
  const price = (amount: number | null) =>
    `{"zpid":"8001","homeStatus":"FOR_SALE","price":${amount}}\n{"zpid":"8002","homeStatus":"FOR_SALE","price":1}\n`
  const first = await fileOf('changing.ndjson', price(500_000))
  const second = await fileOf('changing.ndjson', price(490_000))
  const third = await fileOf('changing.ndjson', price(null))
  await lotline('listings', 'import', first)
  const start = (await jsonOf(lotline, 'listings', 'changes', '--limit', '1')) as { seq: number }[]
  await lotline('listings', 'import', second)
  await lotline('listings', 'import', third)
  await lotline('listings', 'remove', '8002')
  const since = ['listings', 'changes', '--since', String(start[0]!.seq)] as const
  const changes = (await jsonOf(lotline, ...since)) as Record<string, unknown>[]
  expect(changes).toMatchObject([
    { zpid: '8001', source: 'changing', generation: 2, changed: ['price'] },
    { zpid: '8001', changed: [], before: { price: 490_000 }, after: { price: null, status: 'for_sale' } },
    { zpid: '8002', before: { price: 1 }, after: null },
  ])
  const text = (await lotline(...since, '--limit', '2')).stdout
  expect(text).toMatch(
    /8001 +changing +price 500000 → 490000\n.*8001 +changing +price became known or unknown\n/,
  )
  expect(text).toContain(`There may be more: --since ${changes[1]!.seq} continues.`)
  expect((await lotline('listings', 'changes', '--since', '999999999')).stdout).toBe(
    'There are no changes.\n',
  )
  expect((await lotline('listings', 'changes', '--since', '1h', '--limit', '1')).code).toBe(0)
  expect((await lotline('listings', 'changes', '--since', 'soon')).code).toBe(2)
})
