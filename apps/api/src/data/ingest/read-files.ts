// Reads the rows of one or several files, one after another, as one source.

import type { Mapping } from './mapping.ts'
import { type OpenFile, openFile } from './open-file.ts'
import { readCsv } from './read-csv.ts'
import { readNdjson } from './read-ndjson.ts'
import { ImportFailure, type SourceRow, type SourceRows } from './source-row.ts'

export interface OpenFiles {
  readonly rows: SourceRows
  /** The size on disk in bytes, as far as it is known beforehand. */
  readonly size: number
  /** The number of bytes that have been read. */
  position(): number
}

/**
 * Checks that all files exist before the first is read. With a mapping they are CSV, otherwise NDJSON. If there are several files, rows and
 * failures name theirs.
 *
 * @throws {ImportFailure} as `openFile` does, also during reading
 */
export async function openFiles(paths: readonly string[], mapping?: Mapping): Promise<OpenFiles> {
  const files: OpenFile[] = []
  for (const path of paths) files.push(await openFile(path))
  const rowsOf = ({ bytes }: OpenFile) => (mapping ? readCsv(bytes, mapping) : readNdjson(bytes))
  async function* inTurn(): AsyncGenerator<readonly SourceRow[]> {
    for (const [at, file] of files.entries()) {
      const path = paths[at]!
      try {
        for await (const rows of rowsOf(file)) yield rows.map((row) => ({ ...row, file: path }))
      } catch (error) {
        throw naming(path, error)
      }
    }
  }
  return {
    rows: files.length === 1 ? rowsOf(files[0]!) : inTurn(),
    size: files.reduce((sum, { size }) => sum + size, 0),
    position: () => files.reduce((sum, file) => sum + file.position(), 0),
  }
}

function naming(path: string, error: unknown): unknown {
  const isNameless = error instanceof ImportFailure && !error.message.startsWith(path)
  return isNameless ? new ImportFailure(`${path}: ${error.message}`) : error
}
