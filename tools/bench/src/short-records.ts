// Files of some 85,000 records with few fields. They are those of public sales that lie beside the repository in
// ../shared/data/unified-records; where they are missing, generated ones take their place, which is said.

import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sampleListings } from '@lotline/sample-data'

const RECORDS = fileURLToPath(new URL('../../../../shared/data/unified-records', import.meta.url))
const GENERATED = 85_000

export interface ShortRecords {
  readonly files: readonly string[]
  /** A description of the records for the report. */
  readonly kind: string
  /** How searches call them. */
  readonly status: 'sold' | 'for_sale'
}

let found: Promise<ShortRecords> | undefined

/** Generated files are written into the directory, once. */
export function findShortRecords(directory: string): Promise<ShortRecords> {
  found ??= find(directory)
  return found
}

async function find(directory: string): Promise<ShortRecords> {
  if (existsSync(RECORDS)) {
    const names = (await readdir(RECORDS)).filter((name) => name.endsWith('.ndjson.gz')).sort()
    return { files: names.map((name) => join(RECORDS, name)), kind: 'public sales', status: 'sold' }
  }
  console.warn('\nSKIPPED: ../shared/data/unified-records is absent; generated records take its place.')
  return {
    files: [await writeGenerated(directory)],
    kind: 'GENERATED listings, since ../shared/data/unified-records is absent',
    status: 'for_sale',
  }
}

/** Homes with the fields that a record of a public sale has. */
async function writeGenerated(directory: string): Promise<string> {
  const lines: string[] = []
  for (const home of sampleListings({ homes: GENERATED })) {
    const { zpid, address, price, bedrooms, bathrooms, livingArea, yearBuilt, homeType, homeStatus } = home
    const { latitude, longitude, lotSize, priceHistory } = home
    lines.push(
      JSON.stringify({
        zpid,
        address,
        price,
        bedrooms,
        bathrooms,
        livingArea,
        yearBuilt,
        homeType,
        homeStatus,
        latitude,
        longitude,
        lotSize,
        priceHistory,
      }),
    )
  }
  const path = join(directory, 'generated.ndjson')
  await writeFile(path, lines.join('\n'))
  return path
}
