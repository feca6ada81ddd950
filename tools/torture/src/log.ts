// Writes and reads the record of a run.

import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { RecordOf, TortureRecord } from './records.ts'

export interface Log<R = TortureRecord> {
  /** What comes after the close is left out. */
  write(record: R): void
  /** Resolves when all that was written is in the file. */
  close(): Promise<void>
}

export function openLog<R = TortureRecord>(file: string): Log<R> {
  const stream = createWriteStream(file, { flags: 'a' })
  let closed: Promise<void> | undefined
  return {
    write(record) {
      if (!closed) stream.write(`${JSON.stringify(record)}\n`)
    },
    close: () => (closed ??= new Promise((done) => stream.end(done))),
  }
}

export type Records = { readonly [Kind in TortureRecord['kind']]: RecordOf<Kind>[] }

function noRecords(): Records {
  return {
    answer: [],
    lost: [],
    job: [],
    order: [],
    page: [],
    webhook: [],
    revoked: [],
    ended: [],
    delivery: [],
    query: [],
    fault: [],
  }
}

/** Reads the files whole. A last line that was cut off by the end of its writer is left out. */
export async function readLogs(files: readonly string[]): Promise<Records> {
  const records = noRecords()
  for (const file of files) {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const record = parse(line)
      if (record) (records[record.kind] as TortureRecord[]).push(record)
    }
  }
  return records
}

function parse(line: string): TortureRecord | undefined {
  try {
    return JSON.parse(line) as TortureRecord
  } catch {
    return undefined
  }
}
