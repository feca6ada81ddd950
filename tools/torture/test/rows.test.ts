import { expect, it } from 'vitest'
import { countRows, idsOf, parseCsv } from '../src/clients/rows.ts'

it('CSV with quotes, commas, and line breaks is parsed correctly', () => {
  expect(parseCsv('a,b\r\n"x, ""y""\r\nz",\r\n,1\r\n')).toEqual([
    ['a', 'b'],
    ['x, "y"\r\nz', ''],
    ['', '1'],
  ])
})

it('the same rows have the same ids in every format', () => {
  const rows = [
    { zpid: '1', input: 'https://a.example/1,2' },
    { zpid: '2', input: 'https://a.example/2' },
  ]
  const csv = 'zpid,input\r\n1,"https://a.example/1,2"\r\n2,https://a.example/2\r\n'
  const ndjson = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const ids = rows.map(({ input }) => input)
  expect(idsOf('csv', csv)).toEqual(ids)
  expect(idsOf('ndjson', ndjson)).toEqual(ids)
  expect(idsOf('json', JSON.stringify({ data: rows }))).toEqual(ids)
  expect([countRows('text/csv', csv, null), countRows('application/x-ndjson', ndjson, null)]).toEqual([2, 2])
})

it('a response that is not a list has no row count', () => {
  expect(countRows('application/json', '{}', { zpid: '1' })).toBeNull()
})
