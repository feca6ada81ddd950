import { expect, test } from 'vitest'
import { chooseFormat } from '../../../src/requests/presentation/format.ts'

test.each<[string | undefined, string | undefined, string]>([
  // Without a parameter and a header.
  [undefined, undefined, 'json'],
  [undefined, '', 'json'],
  // The parameter takes precedence.
  ['csv', 'application/json', 'csv'],
  ['json', 'text/csv', 'json'],
  ['ndjson', undefined, 'ndjson'],
  // Accept decides.
  [undefined, 'application/json', 'json'],
  [undefined, 'text/csv', 'csv'],
  [undefined, 'TEXT/CSV; charset=utf-8', 'csv'],
  [undefined, 'application/x-ndjson', 'ndjson'],
  [undefined, 'application/ndjson', 'ndjson'],
  [undefined, 'application/jsonl', 'ndjson'],
  [undefined, '*/*', 'json'],
  [undefined, 'text/*', 'csv'],
  [undefined, 'application/*', 'json'],
  // Qualities count, and the more specific of two ranges.
  [undefined, 'text/csv;q=0.5, application/json', 'json'],
  [undefined, 'text/csv, application/json;q=0.9', 'csv'],
  [undefined, 'text/csv;q=0.8,application/x-ndjson;q=0.9', 'ndjson'],
  [undefined, 'text/csv, */*', 'csv'],
  [undefined, 'text/csv, */*;q=0.1', 'csv'],
  [undefined, 'text/csv;q=0, */*', 'json'],
  [undefined, 'application/json;q=0, */*', 'csv'],
  // Of two equal preferences, the first.
  [undefined, 'text/csv, application/json', 'csv'],
  [undefined, 'application/json, text/csv', 'json'],
  [undefined, 'application/x-ndjson , text/csv ; q=0.2', 'ndjson'],
  // An unsupported format falls back to JSON.
  [undefined, 'text/html', 'json'],
  [undefined, 'application/xml;q=0.9, image/webp', 'json'],
  [undefined, 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
  [undefined, 'text/csv;q=x', 'json'],
  [undefined, ';;;,,,/', 'json'],
  ['xml', 'text/csv', 'csv'],
])('format %j with Accept %j is %s', (format, accept, expected) => {
  expect(chooseFormat(format, accept)).toBe(expected)
})

test('only the beginning of a long Accept header is read', () => {
  expect(chooseFormat(undefined, `${'text/html,'.repeat(20_000)}text/csv`)).toBe('json')
})
