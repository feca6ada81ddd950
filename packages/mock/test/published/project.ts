// An empty project with the packed mock installed by npm, as a stranger has it after `npm install @lotline/mock`. The
// package has no dependencies, so no registry is asked.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { packPackage } from '@lotline/release'

const run = promisify(execFile)
const WORKSPACE = join(import.meta.dirname, '../../../..')

export interface Project {
  readonly directory: string
  readonly tarball: Uint8Array<ArrayBuffer>
  remove(): Promise<void>
}

export async function createProject(): Promise<Project> {
  const directory = await mkdtemp(join(tmpdir(), 'lotline-mock-'))
  const tarball = await packPackage(WORKSPACE, 'packages/mock', directory)
  await writeFile(join(directory, 'package.json'), '{ "private": true }\n')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: directory })
  return {
    directory,
    tarball: new Uint8Array(await readFile(tarball)),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/** The Node of this machine rather than that of the workspace, where there is one; the oldest that is supported is 20. */
export async function findOtherNode(): Promise<string> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder.includes('node_modules')) continue
    const path = join(folder, 'node')
    const version = await run(path, ['--version']).then(
      ({ stdout }) => stdout,
      () => '',
    )
    if (Number(/^v(\d+)/.exec(version)?.[1]) >= 20) return path
  }
  return process.execPath
}

export interface ProgramResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end, without input and without the environment of the tests. */
export async function runProgram(
  directory: string,
  program: string,
  ...args: readonly string[]
): Promise<ProgramResult> {
  const child = spawn(program, args, {
    cwd: directory,
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...texts }
}
