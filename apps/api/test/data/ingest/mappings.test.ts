// The project’s mappings, tested with made-up rows under the headers of the real files, and with the real files if ../shared/data has them.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Property } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import { readMapping } from '../../../src/data/ingest/mapping.ts'
import { openFile } from '../../../src/data/ingest/open-file.ts'
import { readCsv } from '../../../src/data/ingest/read-csv.ts'
import { checkRecord } from '../../../src/data/listings/check-record.ts'

const FOLDER = join(import.meta.dirname, '../../../mappings')
const DATA = join(import.meta.dirname, '../../../../../../shared/data')

const REDFIN =
  'SALE TYPE,SOLD DATE,PROPERTY TYPE,ADDRESS,CITY,STATE OR PROVINCE,ZIP OR POSTAL CODE,PRICE,BEDS,BATHS,LOCATION,SQUARE FEET,' +
  'LOT SIZE,YEAR BUILT,DAYS ON MARKET,$/SQUARE FEET,HOA/MONTH,STATUS,NEXT OPEN HOUSE START TIME,NEXT OPEN HOUSE END TIME,' +
  'URL (SEE https://www.redfin.com/buy-a-home/comparative-market-analysis FOR INFO ON PRICING),SOURCE,MLS#,FAVORITE,INTERESTED,' +
  'LATITUDE,LONGITUDE'
const NOTICE = '"In accordance with local MLS rules, some MLS listings are not included in the download"'
const ZILLOW =
  'zpid,id,detailUrl,statusType,statusText,price,unformattedPrice,address,addressStreet,addressCity,addressState,addressZipcode,' +
  'beds,baths,area,latLong.latitude,latLong.longitude,hdpData.homeInfo.homeType,hdpData.homeInfo.daysOnZillow,zestimate'
const AMES =
  'MS_Zoning,Lot_Area,Neighborhood,Bldg_Type,Year_Built,Gr_Liv_Area,Full_Bath,Half_Bath,Bedroom_AbvGr,Fireplaces,Garage_Cars,' +
  'Pool_Area,Mo_Sold,Year_Sold,Sale_Price,Longitude,Latitude'
const LUCAS =
  'price,yrbuilt,stories,TLA,wall,beds,baths,halfbaths,frontage,depth,garage,garagesqft,rooms,lotsize,sdate,avalue,syear,age,' +
  'longitude,latitude,sale_date'
const CONNECTICUT =
  'Serial Number,List Year,Date Recorded,Town,Address,Assessed Value,Sale Amount,Sales Ratio,Property Type,Residential Type,' +
  'Non Use Code,Assessor Remarks,OPM remarks,Location'

const day = (before: number) => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10)

/** The text of a file, and fields that its records must have. */
const FILES: Readonly<Record<string, { text: string; records: readonly object[] }>> = {
  redfin: {
    text: `${NOTICE}
${REDFIN}
${NOTICE}
MLS Listing,,Condo/Co-op,"1 Elm St #5",Seattle,WA,98109,550000,2,1.5,Queen Anne,900,,1999,12,611,450,Active,,,https://www.redfin.com/WA/Seattle/1-Elm-St-98109/unit-5/home/123456,NWMLS,100001,N,Y,47.63,-122.35
PAST SALE,April-24-2024,Single Family Residential,2 Elm St,Boston,MA,02109,900000,4,2.5,,2100,5000,1921,,428,,Sold,,,https://www.redfin.com/MA/Boston/2-Elm-St-02109/home/234567,MLSPIN,100002,N,Y,42.36,-71.05
PAST SALE,2026-05-01,Townhouse,3 Elm St,Boston,MA,2109,800000,3,2,,1800,,2001,,444,,Sold,,,http://www.redfin.com/MA/Boston/3-Elm-St-02109/home/345678,MLSPIN,100003,N,Y,42.36,-71.05
`,
    records: [
      {
        zpid: '3000000123456',
        homeStatus: 'FOR_SALE',
        homeType: 'CONDO',
        datePostedString: day(12),
        price: 550_000,
        bathrooms: 1.5,
        monthlyHoaFee: 450,
        priceHistory: [],
        hdpUrl: 'https://www.redfin.com/WA/Seattle/1-Elm-St-98109/unit-5/home/123456',
      },
      {
        zpid: '3000000234567',
        homeStatus: 'RECENTLY_SOLD',
        dateSoldString: '2024-04-24',
        priceHistory: [{ event: 'Sold', date: '2024-04-24', price: 900_000 }],
      },
      { dateSoldString: '2026-05-01', homeType: 'TOWNHOUSE', address: { zipcode: '02109' } },
    ],
  },
  zillow: {
    text: `${ZILLOW}
777001,777001,https://www.zillow.com/homedetails/777001_zpid/,FOR_SALE,House for sale,"$500,000",500000,"4 Elm St, Austin, TX 78701",4 Elm St,Austin,TX,78701,3,2,1500,30.27,-97.74,SINGLE_FAMILY,3,510000
`,
    records: [
      {
        zpid: '777001',
        homeStatus: 'FOR_SALE',
        price: 500_000,
        latitude: 30.27,
        zestimate: 510_000,
        hdpUrl: 'https://www.zillow.com/homedetails/777001_zpid/',
        datePostedString: day(3),
      },
    ],
  },
  ames: {
    text: `${AMES}
RL,9000,North_Ames,TwnhsE,1960,1656,1,1,3,2,2,0,5,2010,215000,-93.6,42.05
`,
    records: [
      {
        zpid: expect.stringMatching(/^4\d{15}$/),
        homeType: 'TOWNHOUSE',
        dateSoldString: '2010-05-01',
        hasGarage: true,
        hasPool: false,
        bathrooms: 1.5,
        resoFacts: { bathroomsFull: 1, bathroomsHalf: 1, fireplaces: 2 },
      },
    ],
  },
  'lucas-county': {
    text: `${LUCAS}
90000,1937,one+half,1956,wood,3,1,0,192,0,no garage,480,7,52900,931101,126514,1993,0.62,-83.87,41.41,1993-11-01
`,
    records: [
      {
        zpid: expect.stringMatching(/^5\d{15}$/),
        stories: 1.5,
        hasGarage: false,
        dateSoldString: '1993-11-01',
      },
    ],
  },
  connecticut: {
    text: `${CONNECTICUT}
220001,2022,01/30/2023,Andover,5 ELM ST,139020.00,232000.00,0.5992,Residential,Single Family,,,,POINT (-72.34 41.72)
220002,2022,02/01/2023,Andover,6 ELM ST,139020.00,,0.5992,Vacant Land,,,,,
`,
    records: [
      {
        zpid: expect.stringMatching(/^6\d{15}$/),
        longitude: -72.34,
        latitude: 41.72,
        price: 232_000,
        homeType: 'SINGLE_FAMILY',
        dateSoldString: '2023-01-30',
        taxAssessedValue: 139_020,
      },
      { dateSoldString: '2023-02-01' },
    ],
  },
}

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

describe.each(Object.entries(FILES))('the mapping %s', (name, { text, records }) => {
  it('makes records without a warning from a file with the publisher’s header', async () => {
    const mapping = await readMapping(join(FOLDER, `${name}.yaml`))
    const read: Property[] = []
    for await (const some of readCsv(bytesOf(text), mapping)) {
      for (const row of some) {
        if ('fault' in row) throw new Error(`line ${row.line} ${row.fault}`)
        const checked = checkRecord(row.record)
        if ('fault' in checked) throw new Error(`line ${row.line} ${checked.fault}`)
        expect(checked.warnings.filter(({ code }) => code !== 'no_position')).toEqual([])
        read.push(checked.record)
      }
    }
    expect(read).toMatchObject(records)
  })
})

it('every mapping of the project has a test', () => {
  // These two have tests of their own: king-county.test.ts and below.
  const names = readdirSync(FOLDER).map((file) => file.replace('.yaml', ''))
  expect(names.sort()).toEqual([...Object.keys(FILES), 'king-county', 'nyc-rolling-sales'].sort())
})

const REAL: readonly (readonly [mapping: string, file: string, records: number])[] = [
  ['ames', 'ames-ia-sales/ames.csv', 2_930],
  ['lucas-county', 'lucas-county-oh-sales/lucas_county_house.csv', 25_357],
  ['king-county', 'kc-house-sales/kc_house_data.csv', 21_613],
  ['nyc-rolling-sales', 'nyc-rolling-sales-2019-2020/rollingsales_statenisland.csv.gz', 5_000],
]
for (const [name, file, records] of REAL) {
  const path = join(DATA, file)
  if (!existsSync(path))
    console.warn(`SKIPPED: the mapping ${name} over ../shared/data/${file}, which is absent`)
  it.skipIf(!existsSync(path))(`${name} reads every row of ${file}`, async () => {
    const mapping = await readMapping(join(FOLDER, `${name}.yaml`))
    const zpids = new Set<string>()
    let rows = 0
    for await (const some of readCsv((await openFile(path)).bytes, mapping)) {
      for (const row of some) {
        if ('fault' in row) throw new Error(`line ${row.line} ${row.fault}`)
        const checked = checkRecord(row.record)
        if ('fault' in checked) throw new Error(`line ${row.line} ${checked.fault}`)
        expect(checked.warnings.filter(({ code }) => code !== 'no_position')).toEqual([])
        zpids.add(String(checked.record.zpid))
        rows += 1
      }
    }
    expect(rows).toBeGreaterThanOrEqual(records)
    // Some rows are further sales of one home, or duplicates of the publisher.
    expect(zpids.size).toBeGreaterThan(0.98 * rows)
  })
}

const HALF_BATHS: readonly (readonly [mapping: string, file: string, homes: number])[] = [
  ['ames', 'ames-ia-sales/ames.csv', 1_087],
  ['lucas-county', 'lucas-county-oh-sales/lucas_county_house.csv', 8_312],
]
for (const [name, file, homes] of HALF_BATHS) {
  const path = join(DATA, file)
  it.skipIf(!existsSync(path))(`${name} counts the half baths of ${homes} homes of ${file}`, async () => {
    const mapping = await readMapping(join(FOLDER, `${name}.yaml`))
    let counted = 0
    for await (const some of readCsv((await openFile(path)).bytes, mapping)) {
      for (const row of some) {
        const { bathrooms, resoFacts } = ('record' in row ? row.record : {}) as Property
        const { bathroomsFull, bathroomsHalf } = resoFacts as Record<string, number>
        expect(bathrooms).toBe(bathroomsFull! + 0.5 * bathroomsHalf!)
        if (bathroomsHalf! > 0) counted += 1
      }
    }
    expect(counted).toBe(homes)
  })
}
