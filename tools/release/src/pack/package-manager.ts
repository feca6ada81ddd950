import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The command of the pnpm that runs this, else of the one that the workspace names. `root`: its folder. */
export async function packageManager(root: string): Promise<[string, ...string[]]> {
  const running = process.env.npm_execpath ?? ''
  if (/pnpm[^/\\]*\.[cm]?js$/.test(running)) return [process.execPath, running]
  const { packageManager: named } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    packageManager: string
  }
  return ['npx', '-y', named]
}
