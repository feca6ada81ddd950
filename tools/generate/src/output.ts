import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GeneratedFiles } from './generate.ts'

export interface Difference {
  readonly file: string
  /** `missing` and `changed` files must be written, `stale` ones are no longer generated. */
  readonly kind: 'missing' | 'changed' | 'stale'
}

/** How the directory differs, byte for byte, from what belongs into it; empty when it is up to date. */
export async function compare(files: GeneratedFiles, directory: string): Promise<readonly Difference[]> {
  const present = new Set(await namesIn(directory))
  const differences: Difference[] = []
  for (const [file, text] of files) {
    if (!present.has(file)) differences.push({ file, kind: 'missing' })
    else if (!(await readFile(join(directory, file))).equals(Buffer.from(text)))
      differences.push({ file, kind: 'changed' })
  }
  for (const file of present) if (!files.has(file)) differences.push({ file, kind: 'stale' })
  return differences.sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** Brings the directory up to date and touches nothing that already is; returns what it changed. */
export async function write(files: GeneratedFiles, directory: string): Promise<readonly Difference[]> {
  await mkdir(directory, { recursive: true })
  const differences = await compare(files, directory)
  for (const { file, kind } of differences) {
    if (kind === 'stale') await rm(join(directory, file), { recursive: true })
    else await writeFile(join(directory, file), files.get(file) ?? '')
  }
  return differences
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
