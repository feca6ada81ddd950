// Records as rows of an import.

import type { SourceRow } from '../../../../src/data/ingest/source-row.ts'

export function* rowsOf(records: Iterable<unknown>): Generator<SourceRow> {
  let line = 0
  // An import may change its records.
  for (const record of records) yield { line: ++line, record: structuredClone(record) }
}
