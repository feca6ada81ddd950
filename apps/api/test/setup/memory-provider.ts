// A provider with the homes of the contract's examples: a house, its search rows, and a building with two units. It counts
// queries and fails on demand. A search returns the homes that contradict none of its filters, even if a value is missing.

import type { Property } from '@lotline/contract'
import { minimalCall } from '@lotline/contract/example-calls'
import { answerExamples } from '@lotline/contract/nodes'
import type { Provider } from '../../src/data/sources/provider.ts'
import { contradictionOf } from '../../src/data/sources/resilience/filter-contradiction.ts'
import { matchAddress } from '../../src/domain/address/match-address.ts'
import type { SourceRecord } from '../../src/domain/record/source-record.ts'
import { toListingKind, toSearchStatus } from '../../src/domain/record/status-of.ts'
import { findPathReference, referenceKey } from '../../src/domain/site-urls/listing-url.ts'

export interface MemoryProvider extends Provider {
  /** Number of queries. */
  readonly asked: number
  /** The error of all later queries; undefined: they succeed. */
  trouble: (() => Promise<never>) | undefined
}

interface Row {
  readonly detailUrl: string
  readonly latLong: { readonly latitude: number; readonly longitude: number }
  readonly hdpData?: { readonly homeInfo: Property }
}

export function createMemoryProvider(): MemoryProvider {
  const homes = readHomes()
  const [building, ...units] = readBuilding()
  // The URL of the contract's example is that of a building of the sample, and here of this one.
  const example = new URL(String(minimalCall('getBuildingUnits').query.url)).pathname
  const buildingKeys = [keyOf(building?.bdpUrl), keyOf(example)]
  let asked = 0

  async function answer<T>(find: () => T): Promise<T> {
    asked++
    return memory.trouble ? memory.trouble() : find()
  }

  function sourced(record: Property | undefined): SourceRecord | undefined {
    return record && { record, generation: null }
  }

  const memory: MemoryProvider = {
    name: 'memory',
    searchCap: 500,
    trouble: undefined,
    get asked() {
      return asked
    },
    findByZpid: (zpid) => answer(() => sourced(homes.find((home) => home.zpid === zpid))),
    findByUrl: (listing) =>
      answer(() =>
        listing.kind === 'home'
          ? sourced(homes.find((home) => home.zpid === listing.zpid))
          : sourced(buildingKeys.includes(referenceKey(listing)) ? building : undefined),
      ),
    findByAddress: (address, prefer) =>
      answer(() =>
        matchAddress(
          address,
          homes.map((record) => ({ record, generation: null })),
          prefer,
        ),
      ),
    findUnits: (listing, kind) =>
      answer(() =>
        buildingKeys.includes(referenceKey(listing)) && building
          ? {
              parent: building,
              units: units.filter(({ homeStatus }) => kind === 'all' || toListingKind(homeStatus) === kind),
            }
          : undefined,
      ),
    search: (search, { limit }) =>
      answer(() => {
        const { status, bbox } = search
        const now = new Date()
        const found = homes.filter(
          (home) =>
            toSearchStatus(home.homeStatus) === status &&
            isWithin(home.longitude, bbox.west, bbox.east) &&
            isWithin(home.latitude, bbox.south, bbox.north) &&
            contradictionOf(home, search, now) === undefined,
        )
        return { records: found.slice(0, limit), total: found.length }
      }),
  }
  return memory
}

function readHomes(): Property[] {
  const { data: app } = Object.values(answerExamples('getProperty', 200))[0] as { data: Property }
  const searches = Object.values(answerExamples('listListings', 200)) as { data: Row[] }[]
  const records = searches.flatMap(({ data }) => data.flatMap(toRecord))
  const homes = new Map(records.map((home) => [home.zpid, home]))
  return [...homes.set(app.zpid, app).values()]
}

/** A row with too few fields yields no record. */
function toRecord({ detailUrl, latLong, hdpData }: Row): Property[] {
  return hdpData ? [{ ...hdpData.homeInfo, ...latLong, hdpUrl: new URL(detailUrl).pathname }] : []
}

function readBuilding(): Property[] {
  const examples = answerExamples('getBuildingUnits', 200)
  return (Object.values(examples)[0] as { data: { units: Property[] } }).data.units
}

function keyOf(path: unknown): string | undefined {
  const reference = typeof path === 'string' ? findPathReference(path) : undefined
  return reference && referenceKey(reference)
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && least <= value && value <= most
}
