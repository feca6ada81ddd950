import { writeFile } from 'node:fs/promises'
import type { Property } from '@lotline/contract'
import { sampleListings } from '@lotline/sample-data'

/** The first homes have all their fields; the others only short ones, so that the provider costs the machine little. */
const WHOLE = 40
const MAX_FIELD = 300

/** Writes the listings of a run, one a line, and returns them. */
export async function writeListings(file: string, homes: number): Promise<Property[]> {
  const records = [...sampleListings({ homes })].map((record, at) =>
    at < WHOLE ? record : shortened(record),
  )
  await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return records as Property[]
}

function shortened(record: object): object {
  const short = Object.entries(record).filter(([, value]) => JSON.stringify(value).length <= MAX_FIELD)
  return Object.fromEntries(short)
}
