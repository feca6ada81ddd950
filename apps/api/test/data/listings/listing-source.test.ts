import { expect, it } from 'vitest'
import { sourceOfFile, sourcesOfFiles } from '../../../src/data/ingest/source-of-file.ts'
import { isSourceName } from '../../../src/data/listings/listing-source.ts'

const FILES: readonly (readonly [file: string, source: string])[] = [
  ['my-listings.ndjson.gz', 'my-listings'],
  ['/data/feeds/Seattle Homes.csv', 'seattle-homes'],
  ['redfin_2026-11-22-08-15-22.csv', 'redfin'],
  ['export-20261122T081500Z.csv.gz', 'export'],
  ['11-22-2026 mls.csv', 'mls'],
  ['2026-11_nyc_rolling.csv', 'nyc-rolling'],
  ['sales-2026.ndjson', 'sales'],
  ['kc_house_data (1).csv', 'kc-house-data'],
  ['rollingsales_bronx.csv.gz', 'rollingsales-bronx'],
  // Digits that are no date stay.
  ['route66-98109.csv', 'route66-98109'],
  ['district-12345678.csv', 'district-12345678'],
  // Names without words.
  ['2026-11-22.csv', 'import'],
  ['/dev/fd/63', 'import'],
  ['...', 'import'],
  [`${'long-'.repeat(30)}.csv`, `${'long-'.repeat(12)}lon`],
]

it.each(FILES)('%s belongs to the source %s', (file, source) => {
  expect(sourceOfFile(file)).toBe(source)
  expect(isSourceName(source)).toBe(true)
})

it('each of several files has its source, unless one is named for all', () => {
  const byFile = sourcesOfFiles(['a/one.csv', 'two-2026-11-22.csv'])
  expect(byFile({ file: 'a/one.csv', line: 1 })).toBe('one')
  expect(byFile({ file: 'two-2026-11-22.csv', line: 1 })).toBe('two')
  expect(sourcesOfFiles(['one.csv'])({ line: 1 })).toBe('one')
  expect(sourcesOfFiles(['one.csv', 'two.csv'], 'mls')({ file: 'two.csv', line: 1 })).toBe('mls')
})

it('no file gets the source of the sample', () => {
  expect(() => sourcesOfFiles(['sample.csv'])).toThrow('Name its source with --source NAME.')
})
