// An empty project with the packed SDK installed: what a stranger has after `npm install @lotline/client`. No registry is
// asked: the tarball is unpacked where npm would unpack it, and what it depends on is copied from the workspace.

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const CLIENT = join(import.meta.dirname, '../..')
const WORKSPACE = join(CLIENT, '../..')

export interface Project {
  readonly directory: string
  /** The installed package. */
  readonly client: string
  readonly tarball: Buffer<ArrayBuffer>
  /** What the tarball holds. */
  readonly files: readonly string[]
  write(name: string, text: string): Promise<void>
  /** What its programs find in their environment, beside PATH. */
  env: Readonly<Record<string, string>>
  /** Runs a program in the project; rejects when it fails. Returns what it printed. */
  run(program: string, ...args: string[]): Promise<string>
  remove(): Promise<void>
}

/** Builds, packs and installs: some ten seconds of work. */
export async function createProject(): Promise<Project> {
  const directory = await mkdtemp(join(tmpdir(), 'lotline-client-'))
  const tarball = await pack(directory)
  const client = join(directory, 'node_modules/@lotline/client')
  await mkdir(client, { recursive: true })
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', client])
  await copyDependencies(join(directory, 'node_modules'), client)
  await mkdir(join(directory, 'node_modules/@types'))
  await symlink(
    await realpath(join(WORKSPACE, 'node_modules/@types/node')),
    join(directory, 'node_modules/@types/node'),
  )
  const project: Project = {
    directory,
    client,
    tarball: await readFile(tarball),
    files: (await run('tar', ['-tzf', tarball])).stdout.trim().split('\n'),
    env: {},
    write: (name, text) => writeFile(join(directory, name), text),
    async run(program, ...args) {
      // Only what is given: no key of the caller's environment comes along.
      const env = { PATH: process.env.PATH ?? '', ...project.env }
      const { stdout } = await run(program, args, { cwd: directory, env }).catch((error) => {
        throw new Error(`${error.stdout}${error.stderr}`)
      })
      return stdout
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
  await project.write('package.json', '{ "private": true }\n')
  return project
}

async function pack(destination: string): Promise<string> {
  const { packageManager } = JSON.parse(await readFile(join(WORKSPACE, 'package.json'), 'utf8'))
  await run('npx', ['-y', packageManager, 'pack', '--pack-destination', destination], { cwd: CLIENT })
  const [name] = (await readdir(destination)).filter((file) => file.endsWith('.tgz'))
  return join(destination, name!)
}

/** Copies, not links: nothing of the workspace can be reached from the project. */
async function copyDependencies(modules: string, from: string): Promise<void> {
  const { dependencies = {} } = JSON.parse(await readFile(join(from, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    const source = from.startsWith(modules)
      ? await realpath(join(CLIENT, 'node_modules', name))
      : join(dirname(from), name)
    await cp(source, join(modules, name), { recursive: true, dereference: true })
    await copyDependencies(modules, source)
  }
}

/** Every Node on PATH that is not the one of the workspace, by its version. */
export async function findOtherNodes(): Promise<{ path: string; version: string }[]> {
  const paths = (process.env.PATH ?? '').split(':').map((folder) => join(folder, 'node'))
  const found = new Map<string, string>()
  for (const path of paths) {
    const version = await run(path, ['--version']).then(
      ({ stdout }) => stdout.trim(),
      () => undefined,
    )
    if (version && version !== process.version && Number(version.slice(1).split('.')[0]) >= 20) {
      if (!found.has(version)) found.set(version, path)
    }
  }
  return [...found].map(([version, path]) => ({ path, version }))
}
