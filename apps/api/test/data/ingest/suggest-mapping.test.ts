// Mappings that are guessed from a header: valid without a change, and correct if names and cells are unambiguous.

import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Property } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import { parseMapping } from '../../../src/data/ingest/mapping.ts'
import { openFile } from '../../../src/data/ingest/open-file.ts'
import { readCsv } from '../../../src/data/ingest/read-csv.ts'
import { suggestMapping } from '../../../src/data/ingest/suggest-mapping.ts'
import { checkRecord } from '../../../src/data/listings/check-record.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'

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
      const checked = checkRecord(row.record)
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
        zpid: '900001',
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
        zpid: '900002',
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
        zpid: expect.stringMatching(/^1\d{15}$/),
        homeStatus: 'RECENTLY_SOLD',
        price: 100_000,
        address: { city: 'Salem', zipcode: '01970' },
        dateSoldString: '2024-05-03',
        priceHistory: [{ event: 'Sold', date: '2024-05-03', price: 100_000 }],
      },
      { priceHistory: [{ event: 'Sold', date: '2024-06-04' }] },
    ])
    expect(new Set(records.map(({ zpid }) => zpid)).size).toBe(2)
  })

  it('reports the columns that it could not read', async () => {
    const { text } = await suggestMapping(await fileOf('id,sale date,price\n1,Q3 2024,5\n'))
    expect(text).toContain('"sale date": { date: YYYY-MM-DD } # check: the cells are written "Q3 2024"')
    expect(text).toContain('state: null # check: add it, such as WA')
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
