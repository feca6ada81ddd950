import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Changesets that have not become part of a version yet, by their file names. */
export async function pendingChanges(root: string): Promise<string[]> {
  const names = await readdir(join(root, '.changeset'))
  return names.filter((name) => name.endsWith('.md') && name !== 'README.md').sort()
}
