import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** The browser of this machine; undefined, with a warning, when there is none. Where nothing may be skipped, it throws. */
export function findChromium(proof: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
  if (found) return found
  const notice = `SKIPPED: ${proof}: ${NAMES.join(' or ')} is not installed`
  if (process.env.LOTLINE_NO_SKIP === '1') throw new Error(notice)
  console.warn(notice)
  return undefined
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
