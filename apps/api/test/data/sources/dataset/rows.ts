// Records as an import takes them.

import type { SourceRow } from '../../../../src/data/ingest/source-row.ts'

export function* rowsOf(records: Iterable<unknown>): Generator<SourceRow> {
  let line = 0
  // Importing may change what it is given.
  for (const record of records) yield { line: ++line, record: structuredClone(record) }
}
