// Reads a file of zpids: one per line, or NDJSON records, of which only the zpid is read.

import { readZpid } from '../../domain/record.ts'
import { openFile } from './open-file.ts'
import { ImportFailure } from './source-row.ts'
import { splitLines } from './split-lines.ts'

/** @throws {ImportFailure} as `openFile` does, and when a line has no zpid */
export async function readZpids(path: string): Promise<string[]> {
  const zpids = new Set<string>()
  const { bytes } = await openFile(path)
  for await (const lines of splitLines(bytes)) {
    for (const { line, content } of lines) {
      const text = content?.toString().trim() ?? 'a line of more than 4 MiB'
      if (text === '' || (line === 1 && text.toLowerCase() === 'zpid')) continue
      const zpid = zpidIn(text)
      if (zpid === undefined)
        throw new ImportFailure(
          `${path}: line ${line} must be a zpid (1 to 20 digits) or a JSON record with one. Nothing was changed.`,
        )
      zpids.add(zpid)
    }
  }
  return [...zpids]
}

function zpidIn(text: string): string | undefined {
  if (!text.startsWith('{')) return readZpid(text)
  // Read as text, because a number of 20 digits would be rounded.
  const [, quoted, bare] = /"zpid"\s*:\s*(?:"(\d+)"|(\d+))/.exec(text) ?? []
  return readZpid(quoted ?? bare)
}
