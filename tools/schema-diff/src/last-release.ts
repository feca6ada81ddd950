import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The newest release's bundle, `spec/releases/<major>.<minor>.<patch>.json`; undefined before the first. */
export async function findLastRelease(root: string): Promise<string | undefined> {
  const folder = join(root, 'spec', 'releases')
  const names = await readdir(folder).catch(() => [])
  const versions = names
    .map((name) => /^(\d+)\.(\d+)\.(\d+)\.json$/.exec(name))
    .filter((found) => found !== null)
    .sort((a, b) => Number(a[1]) - Number(b[1]) || Number(a[2]) - Number(b[2]) || Number(a[3]) - Number(b[3]))
  const last = versions.at(-1)
  return last && join(folder, last[0])
}
