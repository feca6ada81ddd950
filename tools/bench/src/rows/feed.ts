// How fast a feed of the RESO Web API is applied: its server is a process on the same machine, and answers without delay.

import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Measurement } from '../measurement.ts'
import { startChild } from '../processes/child.ts'
import { type ImportRun, runImport } from '../processes/import-files.ts'

const SERVER = new URL('../../../../apps/api/test/setup/reso-server/main.ts', import.meta.url)
/** The number of records for each second of `--seconds`. The default of 2 gives 20,000 records. */
const RECORDS_A_SECOND = 10_000
const AT_A_TIME = 2_000

export const feed: Measurement = {
  name: 'feed',
  measures: [
    {
      name: 'records of a RESO feed applied',
      unit: 'records/s',
      target: { of: 'ours', bound: 'at least', value: 2_000 },
    },
    { name: 'the same again, nothing has changed', unit: 'records/s' },
    { name: 'peak memory of the process, for four times as many records, one sample each', unit: 'MB' },
  ],
  async run(bench) {
    const { database, dataDir } = await bench.empty()
    const count = Math.max(1_000, Math.round(RECORDS_A_SECOND * bench.seconds))
    const server = startChild(SERVER)
    try {
      const [origin] = (await once(createInterface(server.process.stdout!), 'line')) as [string]
      const control = async (path: string, body: unknown) => {
        const sent = await fetch(`${origin}/control/${path}`, { method: 'PUT', body: JSON.stringify(body) })
        await sent.text()
      }
      const lotline = (...args: string[]) => runImport(dataDir, ['sources', ...args])
      const add = async () => {
        // Paused, so that the server that runs beside does not synchronize it.
        await database.query(
          `insert into connected_sources (name, kind, settings, every_seconds, paused_at)
           values ('bench', 'reso', $1, 86400, now())`,
          [JSON.stringify({ kind: 'reso', url: `${origin}/odata`, profile: 'generic' })],
        )
      }
      const remove = async () => {
        await database.query('truncate listings')
        await database.query("delete from connected_sources where name = 'bench'")
        await database.query('truncate feed_calls, feed_credentials')
      }
      await control('options', { position: 'token', ahead: true })
      const fill = async (from: number, to: number) => {
        for (let at = from; at < to; at += AT_A_TIME)
          await control(
            'records',
            Array.from({ length: Math.min(AT_A_TIME, to - at) }, (_, n) => listing(at + n)),
          )
      }
      await fill(0, count / 4)
      await add()
      const quarter = await lotline('sync', 'bench')
      await remove()
      await fill(count / 4, count)
      const runs = { first: [] as ImportRun[], again: [] as ImportRun[] }
      for (let round = 0; round < bench.rounds; round++) {
        await add()
        runs.first.push(await lotline('sync', 'bench'))
        runs.again.push(await lotline('sync', 'bench', '--full'))
        await remove()
      }
      return [
        {
          ours: runs.first.map(({ read, seconds }) => read / seconds),
          note: `the whole command: ${count} records with 10 photos each, pages of 500 that the server has made beforehand, into an empty data set`,
        },
        { ours: runs.again.map(({ read, seconds }) => read / seconds), note: 'with a sweep of all keys' },
        {
          ours: runs.first.map(({ peakRss }) => peakRss / 1024 / 1024),
          baseline: runs.first.map(() => quarter.peakRss / 1024 / 1024),
          note: `beside it: for ${count / 4} records`,
        },
      ]
    } finally {
      server.process.kill('SIGKILL')
    }
  },
}

export function listing(at: number): object {
  return {
    ListingKey: `B${at}`,
    ListingId: `26-${at}`,
    OriginatingSystemName: 'Bench MLS',
    StandardStatus: 'Active',
    MlsStatus: 'Active',
    PropertyType: 'Residential',
    PropertySubType: 'Single Family Residence',
    ListPrice: 300_000 + at,
    OriginalListPrice: 310_000 + at,
    PriceChangeTimestamp: '2026-10-12T08:00:00Z',
    OnMarketDate: '2026-10-01',
    BedroomsTotal: 3,
    BathroomsFull: 2,
    BathroomsTotalInteger: 2,
    LivingArea: 1_500 + (at % 900),
    LotSizeSquareFeet: 5_000,
    YearBuilt: 1990,
    Stories: 2,
    StreetNumber: String(100 + at),
    StreetName: 'Main',
    StreetSuffix: 'St',
    City: 'Seattle',
    StateOrProvince: 'WA',
    PostalCode: '98109',
    CountyOrParish: 'King',
    ParcelNumber: `77-${String(at).padStart(8, '0')}`,
    Latitude: 47.5 + (at % 1_000) / 5_000,
    Longitude: -122.4 + Math.floor(at / 1_000) / 1_000,
    Heating: ['Forced Air', 'Natural Gas'],
    Cooling: ['Central Air'],
    Appliances: ['Dishwasher', 'Dryer', 'Microwave', 'Refrigerator', 'Washer'],
    InteriorFeatures: ['Walk-In Closet(s)', 'Pantry'],
    GarageYN: true,
    GarageSpaces: 2,
    AssociationFee: 120,
    AssociationFeeFrequency: 'Monthly',
    TaxAnnualAmount: 6_120,
    TaxYear: 2026,
    ElementarySchool: 'Jefferson',
    HighSchool: 'Lincoln',
    PublicRemarks: 'Bright home near the park, with a garden, a garage, and a view of the water. '.repeat(6),
    ListAgentFullName: 'Ana Example',
    ListOfficeName: 'Example Realty',
    ListOfficePhone: '206-555-0100',
    InternetEntireListingDisplayYN: true,
    InternetAddressDisplayYN: true,
    ModificationTimestamp: new Date(Date.parse('2026-11-01T00:00:00Z') + at * 1_000).toISOString(),
    Media: Array.from({ length: 10 }, (_, order) => ({
      MediaKey: `B${at}-${order}`,
      MediaURL: `https://photos.example.com/b${at}/${order}.jpg`,
      Order: order,
      MediaCategory: 'Photo',
      ImageWidth: 1_600,
    })),
  }
}
