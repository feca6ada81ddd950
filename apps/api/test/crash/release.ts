// A release of the service as files of its own, run in processes: that of schema 1, and the present one with migrations that a later
// release could have.

import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { startProcess, type TestProcess } from '../setup/child-process.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const DATABASE = 'apps/api/src/infrastructure/database'
const run = promisify(execFile)

export interface Release {
  /** A server. Its port is any free one. */
  start(env: Readonly<Record<string, string>>): TestProcess
  /** The command. */
  lotline(args: readonly string[], env: Readonly<Record<string, string>>): TestProcess
}

/** The commit in `schema-1.commit`, in an empty folder. */
export async function releaseOfSchema1(tree: string): Promise<Release> {
  const commit = (await readFile(join(ROOT, DATABASE, 'schema-1.commit'), 'utf8')).trim()
  await shell('git archive "$1" apps packages | tar -x -C "$2"', commit, tree).catch((error) => {
    throw new Error(
      `The commit ${commit} of schema-1.commit is not here. In a shallow copy: git fetch --unshallow`,
      { cause: error },
    )
  })
  return releaseIn(tree)
}

/** The present files and more migrations, by name, in an empty folder. */
export async function laterRelease(
  tree: string,
  migrations: Readonly<Record<string, string>>,
): Promise<Release> {
  await shell(
    'git ls-files -co --exclude-standard --deduplicate apps packages | while read -r file; do test -f "$file" && echo "$file"; done | tar -c -T - | tar -x -C "$1"',
    tree,
  )
  for (const [name, sql] of Object.entries(migrations)) {
    await writeFile(join(tree, DATABASE, 'migrations', name), sql)
  }
  return releaseIn(tree)
}

async function releaseIn(tree: string): Promise<Release> {
  await symlink(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
  for (const group of ['apps', 'packages']) {
    for (const name of await readdir(join(tree, group))) await linkPackages(tree, join(group, name))
  }
  const file = (path: string) => join(tree, 'apps/api/src', path)
  return {
    start: (env) => startProcess(file('process/main.ts'), [], { env: { PORT: '0', ...env } }),
    lotline: (args, env) => startProcess(file('interfaces/cli/main.ts'), args, { env }),
  }
}

/** The same links as here. Those to packages of the workspace lead to the packages of the tree. */
async function linkPackages(tree: string, path: string): Promise<void> {
  const folder = join(path, 'node_modules')
  const names = await readdir(join(ROOT, folder)).catch(() => [])
  const scoped = names
    .filter((name) => name.startsWith('@'))
    .map(async (scope) => (await readdir(join(ROOT, folder, scope))).map((name) => join(scope, name)))
  const links = [...names.filter((name) => !/^[.@]/.test(name)), ...(await Promise.all(scoped)).flat()]
  for (const link of links) {
    await mkdir(dirname(join(tree, folder, link)), { recursive: true })
    await symlink(await readlink(join(ROOT, folder, link)), join(tree, folder, link))
  }
}

function shell(script: string, ...args: readonly string[]): Promise<unknown> {
  return run('sh', ['-c', script, 'sh', ...args], { cwd: ROOT })
}
