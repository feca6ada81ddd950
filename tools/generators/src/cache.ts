// Installed tools and generated clients stay outside the source tree, in node_modules/.cache. A tool is installed once for
// each version of its lock file.

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const CACHE = join(ROOT, 'node_modules/.cache/lotline/generators')
/** Written last, so that a folder of an interrupted installation is never used. */
const COMPLETE = '.complete'

const pending = new Map<string, Promise<string>>()

/** The folder for a tool whose installation is described by `lock`. `fill` installs into it when it is not complete. */
export function installOnce(
  name: string,
  lock: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 12)
  const folder = join(CACHE, 'installed', `${name}-${hash}`)
  const known = pending.get(folder)
  if (known !== undefined) return known
  const installing = install(folder, fill)
  pending.set(folder, installing)
  return installing
}

async function install(folder: string, fill: (folder: string) => Promise<void>): Promise<string> {
  if (existsSync(join(folder, COMPLETE))) return folder
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await fill(folder)
  const marker = join(folder, COMPLETE)
  await writeFile(`${marker}.new`, '')
  await rename(`${marker}.new`, marker)
  return folder
}

/** An empty folder for what is generated. */
export async function emptyWorkFolder(name: string): Promise<string> {
  const folder = join(CACHE, 'work', name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  return folder
}
