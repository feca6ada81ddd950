import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asPublished } from '@lotline/contract/publication'

/** The READMEs that readers find on GitHub and in the tarballs. */
export const READMES = [
  'README.md',
  'packages/client/README.md',
  'packages/client-python/README.md',
  'packages/mock/README.md',
  'packages/mcp/README.md',
]

/**
 * Sets the commands of the READMEs to what works as the switch `PUBLISHED` of packages/contract/src/publication.ts says.
 *
 * @param published the position; default: that of the switch
 * @returns the files that were changed
 */
export async function setReadmes(root: string, published?: boolean): Promise<string[]> {
  const changed: string[] = []
  for (const file of READMES) {
    const path = join(root, file)
    const before = await readFile(path, 'utf8')
    const after = asPublished(before, published)
    if (after === before) continue
    await writeFile(path, after)
    changed.push(file)
  }
  return changed
}
