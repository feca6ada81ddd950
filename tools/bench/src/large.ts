// A data set of 180,000 listings, and how fast it was imported. The records are those of public sales that lie beside the
// repository in ../shared/data/unified-records; where they are missing, generated ones take their place, which is said.
// What is missing to 180,000 are copies, each some metres beside its original and under a zpid of its own.

import { createReadStream, existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'
import { sampleListings } from '@lotline/sample-data'
import { type ImportRun, importFile } from './processes/import-file.ts'
import type { Stage } from './stage.ts'

export const LARGE_LISTINGS = 180_000
const RECORDS = fileURLToPath(new URL('../../../../shared/data/unified-records', import.meta.url))
const GENERATED = 85_000
/** About 50 m. */
const SHIFT_DEGREES = 0.0005

interface Position {
  readonly zpid: string
  readonly latitude: number
  readonly longitude: number
}

export interface Large {
  readonly stage: Stage
  /** Of files with short records. */
  readonly short: readonly ImportRun[]
  /** Of a file with full records. */
  readonly full: ImportRun
  readonly fullBytes: number
  /** How the listings are called that a search finds. */
  readonly status: 'sold' | 'for_sale'
  /** What the listings are. */
  readonly note: string
}

export async function fillLarge(stage: Stage, directory: string): Promise<Large> {
  const isReal = existsSync(RECORDS)
  if (!isReal)
    console.warn('\nSKIPPED: ../shared/data/unified-records is absent; generated records take its place.')
  const files = isReal ? await realFiles() : [await writeGenerated(directory)]
  const short: ImportRun[] = []
  for (const file of files) short.push(await importFile(stage.dataDir, file))
  const real = short.reduce((sum, { read }) => sum + read, 0)
  const copies = await writeCopies(files, LARGE_LISTINGS - real, join(directory, 'copies.ndjson'))
  await importFile(stage.dataDir, copies)

  const sample = Array.from(sampleListings(), (record) => JSON.stringify(record)).join('\n')
  const fullPath = join(directory, 'full.ndjson')
  await writeFile(fullPath, sample)
  const full = await importFile(stage.dataDir, fullPath)
  const kind = isReal ? 'public sales' : 'GENERATED listings, since ../shared/data/unified-records is absent'
  const thousands = (count: number) => count.toLocaleString('en-US')
  return {
    ...{ stage, short, full, fullBytes: Buffer.byteLength(sample) },
    status: isReal ? 'sold' : 'for_sale',
    note: `${thousands(real)} ${kind} and ${thousands(LARGE_LISTINGS - real)} copies of them, shifted by 50 m or more`,
  }
}

async function realFiles(): Promise<string[]> {
  const names = await readdir(RECORDS)
  return names.filter((name) => name.endsWith('.ndjson.gz')).map((name) => join(RECORDS, name))
}

/** Homes with the fields that a record of a public sale has. */
async function writeGenerated(directory: string): Promise<string> {
  const lines: string[] = []
  for (const home of sampleListings({ homes: GENERATED })) {
    const { zpid, address, price, bedrooms, bathrooms, livingArea, yearBuilt, homeType, homeStatus } = home
    const { latitude, longitude, lotSize, priceHistory } = home
    lines.push(
      JSON.stringify({
        ...{ zpid, address, price, bedrooms, bathrooms, livingArea, yearBuilt, homeType, homeStatus },
        ...{ latitude, longitude, lotSize, priceHistory },
      }),
    )
  }
  const path = join(directory, 'generated.ndjson')
  await writeFile(path, lines.join('\n'))
  return path
}

/** As many copies as are wanted; the originals are gone through again and again, each time a step further away. */
async function writeCopies(files: readonly string[], wanted: number, path: string): Promise<string> {
  const lines: string[] = []
  for (let step = 1; lines.length < wanted; step++) {
    for (const file of files) {
      const bytes = createReadStream(file)
      const input = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes
      for await (const line of createInterface({ input })) {
        if (lines.length === wanted) break
        const home = JSON.parse(line) as Position
        const shift = step * SHIFT_DEGREES
        lines.push(
          JSON.stringify({
            ...home,
            zpid: `${900 + step}${home.zpid}`,
            latitude: home.latitude + shift,
            longitude: home.longitude + shift,
          }),
        )
      }
    }
  }
  await writeFile(path, lines.join('\n'))
  return path
}
