// TypeScript samples as a customer has them: modules of a project with the SDK installed, compiled strictly, then run one
// after the other in a process of their own.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { ROOT } from '../../process/start/readme.ts'
import { COMPILE_CACHE } from '../../setup/child-process.ts'

const run = promisify(execFile)
const API = join(ROOT, 'apps/api')

export interface Program {
  readonly name: string
  readonly code: string
  readonly env: Readonly<Record<string, string>>
}

export interface Run {
  readonly name: string
  /** What it printed to stdout. */
  readonly output: string
  /** Why it ended, unless it ended well. */
  readonly error: string | undefined
}

/** A folder in which the SDK is installed. It is gone when the test is. */
export async function makeProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lotline-samples-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await symlink(join(API, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const config = {
    extends: join(ROOT, 'tsconfig.base.json'),
    compilerOptions: { typeRoots: [join(ROOT, 'node_modules/@types')], lib: ['es2024', 'dom'] },
    include: ['*.ts'],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  return folder
}

/** Compiles all of them. Rejects with what the compiler says. */
export async function compile(
  folder: string,
  programs: readonly Pick<Program, 'name' | 'code'>[],
): Promise<void> {
  for (const { name, code } of programs) await writeFile(join(folder, `${name}.ts`), code)
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    (error) => {
      throw new Error(`The samples do not compile:\n${error.stdout}`)
    },
  )
}

const RUNNER = `
import { format } from 'node:util'
const programs = JSON.parse(process.argv[2])
const runs = []
for (const { name, env } of programs) {
  Object.assign(process.env, env)
  const lines = []
  console.log = (...values) => lines.push(format(...values))
  let error
  await import('.//' + name + '.ts').catch((thrown) => { error = format(thrown) })
  runs.push({ name, output: lines.join('\\n'), error })
}
process.stdout.write(JSON.stringify(runs))
`

/** Compiles and runs them in their order. */
export async function runTypescript(programs: readonly Program[]): Promise<Run[]> {
  const folder = await makeProject()
  await compile(folder, programs)
  await writeFile(join(folder, 'runner.mjs'), RUNNER)
  const order = JSON.stringify(programs.map(({ name, env }) => ({ name, env })))
  const { stdout } = await run(process.execPath, ['runner.mjs', order], {
    cwd: folder,
    env: { ...COMPILE_CACHE, PATH: process.env.PATH ?? '' },
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout) as Run[]
}
