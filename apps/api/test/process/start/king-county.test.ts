// Real data from end to end: the King County sales as published, imported by the command beside a running service,
// and then searched, looked up, paid for and accounted for over HTTP, as this test's own reading of the file says.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { needSharedText } from '../../domain/record/shared-data.ts'
import { checkAnswer } from '../../setup/contract-check.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { runCommand, startServer } from './server-process.ts'

const testDatabase = withTestDatabase()
const MAPPING = join(import.meta.dirname, '../../../mappings/king-county.yaml')
const NAME = 'kc-house-sales/kc_house_data.csv'

interface Sale {
  readonly id: string
  readonly lat: number
  readonly long: number
  readonly price: number
  readonly bedrooms: number
  readonly bathrooms: number
  readonly sqft_living: number
  readonly yr_built: number
}

/** Each home with its latest sale, which stands last. No cell of the file holds a comma or a quote. */
function readSales(csv: string): Sale[] {
  const [header, ...lines] = csv.trim().replaceAll('"', '').split(/\r?\n/)
  const names = header!.split(',')
  const sales = lines.map((line) => {
    const cells = line.split(',')
    return Object.fromEntries(names.map((name, at) => [name, name === 'id' ? cells[at] : Number(cells[at])]))
  }) as unknown as Sale[]
  return [...new Map(sales.map((sale) => [sale.id, sale])).values()]
}

it('the King County sales can be imported, searched, and looked up, and are charged as /v1/usage says', async (context) => {
  const csv = needSharedText(context, NAME, 'real sales can be imported, searched, looked up and charged')
  const sales = readSales(csv)
  const folder = await makeTemporaryDirectory()
  const file = join(folder, 'sales.csv')
  await writeFile(file, csv)
  const env = { DATABASE_URL: testDatabase.url, SAMPLE_DATA: 'off' }
  const server = await startServer(env)
  const lotline = async (...args: string[]) => {
    const { code, out, err } = await runCommand([...args, '--json'], env)
    expect([code, err]).toEqual([0, ''])
    return JSON.parse(out)
  }
  const { key } = await lotline('accounts', 'create', '--plan', 'monthly')

  let spent = 0
  async function call(path: string, body?: object) {
    const method = body ? 'POST' : 'GET'
    const answer = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    checkAnswer({ method, url: path, status: answer.status, headers: answer.headers, text })
    const charged = Number(answer.headers.get('x-credits-charged'))
    spent += charged
    return { status: answer.status, json: JSON.parse(text), charged, id: answer.headers.get('x-request-id') }
  }

  // Asked for before it is there, so that the answer to that must not be kept.
  const [known] = sales
  expect((await call(`/v1/properties/${known!.id}`)).status).toBe(404)
  const imported = await lotline('listings', 'import', file, '--map', MAPPING)
  expect(imported).toMatchObject({ read: 21_613, inserted: sales.length, rejected: 0 })
  expect(await lotline('listings', 'stats')).toMatchObject({ total: sales.length })

  const found = await call(`/v1/properties/${known!.id}`)
  expect([found.status, found.charged]).toEqual([200, 1])
  expect(found.json.data).toMatchObject({
    zpid: known!.id,
    price: known!.price,
    bedrooms: known!.bedrooms,
    yearBuilt: known!.yr_built,
    address: { zipcode: '98178' },
  })

  const box = { west: -122.36, south: 47.6, east: -122.28, north: 47.68 }
  const inBox = ({ lat, long }: Sale) =>
    lat >= box.south && lat <= box.north && long >= box.west && long <= box.east
  const cases = [
    { filters: {}, fits: () => true },
    {
      filters: { price: { min: 400_000, max: 450_000 }, beds: { min: 3 } },
      fits: (sale: Sale) => sale.price >= 400_000 && sale.price <= 450_000 && sale.bedrooms >= 3,
    },
    {
      filters: { baths: { min: 3.5 }, sqft: { max: 2500 }, yearBuilt: { min: 2000 } },
      fits: (sale: Sale) => sale.bathrooms >= 3.5 && sale.sqft_living <= 2500 && sale.yr_built >= 2000,
    },
  ]
  for (const { filters, fits } of cases) {
    const expected = sales.filter((sale) => inBox(sale) && fits(sale)).map(({ id }) => id)
    expect(expected.length).toBeGreaterThan(10)
    const search = await call('/v1/search', {
      filters: { status: 'sold', bbox: box, ...filters },
      maxItems: 50,
    })
    expect(search.status).toBe(200)
    expect(search.json.meta.total).toBe(expected.length)
    const zpids = search.json.data.map((row: { zpid: string }) => row.zpid)
    expect(zpids).toHaveLength(Math.min(50, expected.length))
    expect(new Set(expected)).toEqual(new Set([...expected, ...zpids]))
    expect(search.charged).toBe(zpids.length)
  }

  const usage = await call('/v1/usage')
  const rows = usage.json.data as { request_id: string; credits_charged: number; status_code: number }[]
  expect(rows.reduce((sum, row) => sum + row.credits_charged, 0)).toBe(spent)
  expect(rows.find((row) => row.request_id === found.id)).toMatchObject({
    credits_charged: 1,
    status_code: 200,
  })
  expect((await call('/v1/me')).json.data.credits.balance).toBe(1000 - spent)

  // A file that breaks off in the middle of a row leaves everything as it was.
  const broken = join(folder, 'broken.csv')
  await writeFile(broken, `${csv.slice(0, 100_000)}"7129300520,"2014`)
  const refused = await runCommand(['listings', 'import', broken, '--map', MAPPING], env)
  expect(refused.code).toBe(1)
  expect(refused.err.split('\n')).toEqual([expect.stringMatching(/^lotline: /)])
  expect(await lotline('listings', 'stats')).toMatchObject({ total: sales.length })
})
