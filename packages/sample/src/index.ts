// The sample listings: one compressed file, made for DEFAULT_AS_OF by tools/sample-data, read record by record and dated
// for the day asked for. The file is a stream, so that its 75 MB are never in memory at once.

import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createBrotliDecompress } from 'node:zlib'
import { DEFAULT_AS_OF, startOfDay } from './calendar.ts'
import { type SampleRecord, toDay } from './to-day.ts'

export { DEFAULT_AS_OF } from './calendar.ts'
export type { SampleRecord } from './to-day.ts'

/** One record a line, Brotli. */
export const SAMPLE_FILE = new URL('generated/sample.ndjson.br', import.meta.url)

/** How many homes the file has, units of buildings included. A building's own record is not counted. */
export const SAMPLE_HOMES = 5_200

export interface SampleOptions {
  /** How many homes; 1 to 5,200, by default all. A smaller sample is a part of a larger one. */
  readonly homes?: number
  /**
   * The day from which listing ages, histories and open houses are counted, as an instant in epoch milliseconds;
   * by default 2026-11-01. Only its day in UTC matters.
   */
  readonly asOf?: number
}

/**
 * Yields the records, the one of the manual's examples first. A building comes whole or, where it no longer fits, not
 * at all.
 *
 * @throws {RangeError} for options out of bounds.
 */
export async function* readSample(
  options: SampleOptions = {},
): AsyncGenerator<SampleRecord, void, undefined> {
  const wanted = options.homes ?? SAMPLE_HOMES
  const asOf = startOfDay(options.asOf ?? DEFAULT_AS_OF)
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > SAMPLE_HOMES) {
    throw new RangeError(`homes must be a whole number from 1 to ${SAMPLE_HOMES}, not ${wanted}`)
  }
  if (!Number.isFinite(asOf)) throw new RangeError('asOf must be an instant in epoch milliseconds')
  let left = wanted
  for await (const group of groupRecords(records())) {
    const homes = group.filter(({ isBuilding }) => !isBuilding).length
    if (homes > left) continue
    left -= homes
    for (const record of group) yield toDay(record, asOf)
    if (left === 0) return
  }
}

/** Records that come together: those of one building, or a single house. */
async function* groupRecords(records: AsyncIterable<SampleRecord>): AsyncGenerator<SampleRecord[]> {
  let group: SampleRecord[] = []
  for await (const record of records) {
    const [first] = group
    if (first && (first.buildingKey === undefined || first.buildingKey !== record.buildingKey)) {
      yield group
      group = []
    }
    group.push(record)
  }
  if (group.length > 0) yield group
}

async function* records(): AsyncGenerator<SampleRecord> {
  const file = createReadStream(SAMPLE_FILE)
  const text = createBrotliDecompress()
  file.on('error', (error) => text.destroy(error))
  try {
    const lines = createInterface({ input: file.pipe(text), crlfDelay: Number.POSITIVE_INFINITY })
    // readline does not report the errors of its input.
    let failure: unknown
    text.on('error', (error) => {
      failure = error
      lines.close()
    })
    for await (const line of lines) yield JSON.parse(line) as SampleRecord
    if (failure !== undefined) throw failure
  } finally {
    file.destroy()
    text.destroy()
  }
}
