// The Go toolchain of the machine. Versions before 1.21 cannot fetch a newer toolchain by themselves, so one is fetched for
// them, as the module that newer versions use.

import { chmod, readdir } from 'node:fs/promises'

import { join } from 'node:path'
import { installOnce } from './cache.ts'
import { runProgram } from './run-program.ts'

const TOOLCHAIN = 'go1.26.8'

let toolchain: Promise<string> | undefined

/** Runs a Go command. Downloads a newer toolchain first where the machine's is older than 1.21. */
export async function go(
  args: readonly string[],
  cwd?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  toolchain ??= findToolchain()
  return runProgram(await toolchain, args, { ...(cwd !== undefined && { cwd }), env })
}

/** Installs a program at its pinned version and returns its path. */
export async function installGoTool(name: string, module: string): Promise<string> {
  const folder = await installOnce(name, module, async (empty) => {
    await go(['install', module], undefined, { GOBIN: empty })
  })
  return join(folder, name)
}

async function findToolchain(): Promise<string> {
  const version = /go1\.(\d+)/.exec(await runProgram('go', ['version']))
  if (Number(version?.[1]) >= 21) return 'go'
  const platform = (await runProgram('go', ['env', 'GOOS', 'GOARCH'])).trim().split('\n').join('-')
  const module = `golang.org/toolchain@v0.0.1-${TOOLCHAIN}.${platform}`
  const folder = await installOnce('go', module, async () => {})
  const download = await runProgram('go', ['mod', 'download', '-json', module], { cwd: folder })
  const { Dir: root } = JSON.parse(download.slice(download.indexOf('{'))) as { readonly Dir: string }
  // A module's files are not executable.
  const programs = [join(root, 'bin'), join(root, 'pkg/tool', platform.replace('-', '_'))]
  for (const path of programs) {
    for (const name of await readdir(path)) await chmod(join(path, name), 0o755)
  }
  return join(root, 'bin/go')
}
