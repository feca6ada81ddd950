import { createHash } from 'node:crypto'
import { type Property, type SampleOptions, sampleListings } from '../src/index.ts'

/** The default sample, made once for all tests of a file. */
export const records: readonly Property[] = [...sampleListings()]
export const homes = records.filter((record) => !record.isBuilding)
export const wholeBuildings = records.filter((record) => record.isBuilding)

/** The records of each building, in the order of the sample. */
export const buildings: ReadonlyMap<string, Property[]> = Map.groupBy(
  records.filter((record) => record.buildingKey !== undefined),
  (record) => record.buildingKey!,
)

export function unitsOf(members: readonly Property[]): Property[] {
  return members.filter((record) => !record.isBuilding)
}

export function sha256Of(options?: SampleOptions): string {
  const hash = createHash('sha256')
  for (const record of sampleListings(options)) hash.update(`${JSON.stringify(record)}\n`)
  return hash.digest('hex')
}

export function within(box: readonly [west: number, south: number, east: number, north: number]): Property[] {
  const [west, south, east, north] = box
  return homes.filter(
    ({ latitude, longitude }) =>
      west <= longitude && longitude <= east && south <= latitude && latitude <= north,
  )
}

export function countsOf<T>(items: readonly T[], keyOf: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1
  return counts
}
