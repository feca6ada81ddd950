// Writes the report of an import as CSV: a line for each rejected or withheld row, each warning, and each duplicate row.

import { closeSync, openSync, writeSync } from 'node:fs'
import type { RowNote } from './import-notes.ts'
import { ImportFailure } from './source-row.ts'

export interface ReportFile {
  write(note: RowNote): void
  close(): void
}

const BUFFERED_CHARACTERS = 64 * 1024

/**
 * Opened before the import begins, so that nothing is imported if it cannot be written.
 *
 * @throws {ImportFailure} when the file cannot be written
 */
export function createReportFile(path: string): ReportFile {
  const file = attempt(() => openSync(path, 'w'))
  let buffered = 'file,line,zpid,kind,code,reason,row\r\n'
  function flush(): void {
    attempt(() => writeSync(file, buffered))
    buffered = ''
  }
  function attempt<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw new ImportFailure(
        `The report cannot be written: ${(error as Error).message}. Nothing was changed.`,
      )
    }
  }
  return {
    write({ file: of, line, zpid, kind, code, reason, row }) {
      buffered += `${[of ?? '', line, zpid ?? '', kind, code ?? '', reason, row ?? ''].map(cell).join(',')}\r\n`
      if (buffered.length > BUFFERED_CHARACTERS) flush()
    },
    close() {
      flush()
      closeSync(file)
    },
  }
}

function cell(value: string | number): string {
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
