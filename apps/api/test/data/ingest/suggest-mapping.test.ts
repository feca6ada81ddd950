// Mappings that are guessed from a header: valid without a change, and correct if names and cells are unambiguous.

import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Property } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { parseMapping } from '../../../src/data/ingest/mapping.ts'
import { openFile } from '../../../src/data/ingest/open-file.ts'
import { readCsv } from '../../../src/data/ingest/read-csv.ts'
import { suggestMapping } from '../../../src/data/ingest/suggest-mapping.ts'
import { checkRecord } from '../../../src/data/listings/check-record.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

const test = withTestDatabase()

const DATA = join(import.meta.dirname, '../../../../../../shared/data')

async function fileOf(content: string | Buffer): Promise<string> {
  const path = join(await makeTemporaryDirectory(), 'homes.csv')
  await writeFile(path, content)
  return path
}

/** The records that the suggested mapping makes of the file, and its warnings. */
async function importedBy(path: string) {
  const suggested = await suggestMapping(path)
  const mapping = parseMapping(suggested.text, 'suggested')
  const records: Property[] = []
  const codes = new Set<string>()
  for await (const some of readCsv((await openFile(path)).bytes, mapping)) {
    for (const row of some) {
      if ('fault' in row) throw new Error(`line ${row.line} ${row.fault}`)
      // An import assigns the zpid of a key.
      const record = row.record as Record<string, unknown>
      const checked = checkRecord('sourceKey' in record ? { ...record, zpid: '1' } : record)
      if ('fault' in checked) throw new Error(`line ${row.line} ${checked.fault}`)
      for (const { code } of checked.warnings) codes.add(code)
      records.push(checked.record)
    }
  }
  return { ...suggested, records, codes: [...codes] }
}

describe('a guessed mapping', () => {
  it('imports a file of a listing service without a change', async () => {
    const path =
      await fileOf(`Listing ID,Standard Status,Property Sub Type,Street Address,City,State,Postal Code,List Price,Bedrooms Total,Bathrooms Total,Living Area,Year Built,Latitude,Longitude,Listing Contract Date,Days on Market,Public Remarks,Agent Mood
900001,Active,Single Family Residence,1 Elm St,Austin,TX,78701,"$500,000",3,2,1500,1990,30.27,-97.74,11/2/2026,20,"Nice, big",good
900002,Pending,Condominium,2 Elm St,Austin,TX,78701,400000,2,1.5,900,0,30.28,-97.75,10/13/2026,40,,bad
`)
    const { records, codes, unused, ready, text } = await importedBy(path)
    expect({ codes, unused, ready }).toEqual({
      codes: [],
      ready: undefined,
      // A listing date is better than a count of days.
      unused: ['Days on Market', 'Agent Mood'],
    })
    expect(text).toContain('# Not used:\n#   "{Days on Market}"\n#   "{Agent Mood}"')
    expect(records).toMatchObject([
      {
        sourceKey: '900001',
        homeStatus: 'FOR_SALE',
        homeType: 'SINGLE_FAMILY',
        price: 500_000,
        yearBuilt: 1990,
        datePostedString: '2026-11-02',
        latitude: 30.27,
        longitude: -97.74,
        mlsid: '900001',
        address: { streetAddress: '1 Elm St', city: 'Austin', state: 'TX', zipcode: '78701' },
      },
      {
        sourceKey: '900002',
        homeStatus: 'PENDING',
        homeType: 'CONDO',
        bathrooms: 1.5,
        datePostedString: '2026-10-13',
      },
    ])
    expect(records[1]).not.toHaveProperty('yearBuilt')
  })

  it('lists the columns with rights, which need no mapping', async () => {
    const path = await fileOf(
      'zpid,price,InternetAddressDisplayYN,MlgCanUse,Mood\n900001,5,N,IDX,good\n900002,6,Y,IDX,bad\n',
    )
    const { unused, text } = await suggestMapping(path)
    expect(unused).toEqual(['Mood'])
    expect(text).toMatch(
      /# Read by their names, .*\n# {3}"\{InternetAddressDisplayYN\}"\n# {3}"\{MlgCanUse\}"\n\n# Not used:/,
    )
  })

  it('detects notices, delimiter, and encoding, makes missing ids, and maps sales to sold homes', async () => {
    const text = `Published by the county; see notes
Straße;Town;Zip;Sale Date;Sale Price;[odd]
1 Höhe Rd;Salem;1970;3-MAY-2024;100000;x
2 Elm St;Salem;1970;4-JUN-2024;0;y
`
    const { records, text: mapping } = await importedBy(await fileOf(Buffer.from(text, 'latin1')))
    expect(mapping).toMatch(/\nskip_lines: 1\ndelimiter: ";"\nencoding: windows-1252\n/)
    expect(records).toMatchObject([
      {
        sourceKey: expect.stringMatching(/^\d{15}$/),
        homeStatus: 'RECENTLY_SOLD',
        price: 100_000,
        address: { city: 'Salem', zipcode: '01970' },
        dateSoldString: '2024-05-03',
        priceHistory: [{ event: 'Sold', date: '2024-05-03', price: 100_000 }],
      },
      { priceHistory: [{ event: 'Sold', date: '2024-06-04' }] },
    ])
    expect(new Set(records.map((record) => (record as { sourceKey?: unknown }).sourceKey)).size).toBe(2)
  })

  it('reports the columns that it could not read', async () => {
    const { text } = await suggestMapping(await fileOf('id,sale date,price\n1,Q3 2024,5\n'))
    expect(text).toContain('"sale date": { date: YYYY-MM-DD } # check: the cells are written "Q3 2024"')
    expect(text).toContain('# check: add the state to the address, such as state: WA')
  })

  it('names a home by its zpid only if the file has zpids', async () => {
    const templateOf = async (text: string) =>
      parseMapping((await suggestMapping(await fileOf(text))).text, 'x').record
    expect(await templateOf('zpid,price\n900001,5\n')).toMatchObject({ zpid: '{zpid}' })
    expect(await templateOf('id,price\n1,5\n')).toMatchObject({ sourceKey: '{id}' })
    expect(await templateOf('id,price\n1,5\n')).not.toHaveProperty('zpid')
    expect(await templateOf('MLS Number,price\nA-7,5\n')).toMatchObject({ sourceKey: '{MLS Number}' })
  })

  it('keeps homes of two offices with the same ids apart', async () => {
    const path = await fileOf(
      'id,status,street address,city,state\n1,Active,1 Elm St,Austin,TX\n2,Active,2 Elm St,Austin,TX\n',
    )
    const mapping = parseMapping((await suggestMapping(path)).text, 'suggested')
    for (const source of ['north', 'south'])
      await importListings(test.database, readCsv((await openFile(path)).bytes, mapping), { source })
    const { rows } = await test.database.query(
      'select source, count(*) as homes from listings group by source order by source',
    )
    expect(rows).toEqual([
      { source: 'north', homes: 2 },
      { source: 'south', homes: 2 },
    ])
  })

  it('asks whether rows replace or merge, and says if a file looks like changes', async () => {
    const changes = await suggestMapping(await fileOf('id,price\n1,5\n'))
    expect(changes.lacksFacts).toBe(true)
    expect(changes.text).toContain('rows: replace # check: the file lacks most facts of a home')
    const whole = await suggestMapping(
      await fileOf(
        'id,status,type,street address,latitude,longitude,price,beds\n1,Active,Condo,1 Elm St,30,-97,5,2\n',
      ),
    )
    expect(whole.lacksFacts).toBe(false)
    expect(whole.text).toContain('\nrows: replace # check\n')
  })

  it('knows the names of the contract, singular forms, and half baths', async () => {
    const { records, unused } = await importedBy(
      await fileOf(
        'id,Bedroom,Full Bath,Half Bath,Story,hasPool,zestimate,taxAssessedYear,dateSold\n1,3,2,1,2,Y,410000,2024,5/17/2024\n',
      ),
    )
    expect(unused).toEqual([])
    expect(records).toMatchObject([
      {
        bedrooms: 3,
        bathrooms: 2.5,
        stories: 2,
        hasPool: true,
        zestimate: 410_000,
        taxAssessedYear: 2024,
        dateSoldString: '2024-05-17',
      },
    ])
  })

  it('reads acres as acres', async () => {
    const units = await importedBy(await fileOf('id,LotSize,LotUnit\n1,0.25,acres\n2,5000,sq ft\n'))
    expect(units.records).toMatchObject([
      { lotAreaValue: 0.25, lotAreaUnits: 'Acres' },
      { lotAreaValue: 5000, lotAreaUnits: 'Square Feet' },
    ])
    expect(units.records[0]).not.toHaveProperty('lotSize')
    const acreage = await importedBy(await fileOf('id,Acreage\n1,0.25\n'))
    expect(acreage.records).toMatchObject([{ lotAreaValue: 0.25, lotAreaUnits: 'Acres' }])
  })

  it('settles the form of dates from all cells', async () => {
    const of = async (...dates: string[]) => {
      const { text } = await suggestMapping(
        await fileOf(`id,list date\n${dates.map((date) => `1,${date}`).join('\n')}\n`),
      )
      return text.split('\n').find((line) => line.includes('list date'))
    }
    expect(await of('1/2/2026', '3/4/2026', '25/4/2026')).toContain('{ date: D/M/YYYY }')
    expect(await of('1/2/2026', '4/25/2026')).toMatch(/\{ date: M\/D\/YYYY \}$/)
    expect(await of('1/2/2026')).toContain('# check: no cell decides between this and D/M/YYYY')
    expect(await of('2026-01-02', '4/25/2026')).toContain('{ date: ["YYYY-MM-DD", "M/D/YYYY"] }')
  })

  it.each([
    ['', 'has no header'],
    ['just one line of text', 'has no header'],
  ])('needs a header: %j', async (content, message) => {
    await expect(suggestMapping(await fileOf(content))).rejects.toThrow(message)
  })
})

it('is replaced by a mapping of the project that fits the file', async () => {
  const path = await fileOf(
    'price,yrbuilt,stories,TLA,wall,beds,baths,halfbaths,frontage,depth,garage,garagesqft,rooms,lotsize,sdate,avalue,syear,age,longitude,latitude,sale_date\n',
  )
  const { ready, text } = await suggestMapping(path)
  expect(ready).toBe('lucas-county.yaml')
  expect(text).toContain('Lucas County')
})

const REAL: readonly (readonly [file: string, ready: string | undefined])[] = [
  ['kc-house-sales/kc_house_data.csv', 'king-county.yaml'],
  ['ames-ia-sales/ames.csv', 'ames.yaml'],
  ['nyc-rolling-sales-2019-2020/rollingsales_bronx.csv.gz', 'nyc-rolling-sales.yaml'],
  // No mapping of the project fits this file.
  ['nyc-rolling-sales-2019-2020/nyc_sales_geocoded.csv', undefined],
]
for (const [file, ready] of REAL) {
  const path = join(DATA, file)
  if (!existsSync(path)) console.warn(`SKIPPED: a mapping for ../shared/data/${file}, which is absent`)
  it.skipIf(!existsSync(path))(
    `every row of ${file} is read by the mapping that is suggested for it`,
    async () => {
      const imported = await importedBy(path)
      expect(imported.ready).toBe(ready)
      expect(imported.records.length).toBeGreaterThan(2_000)
    },
  )
}
