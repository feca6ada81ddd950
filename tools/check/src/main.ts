// `pnpm test`: every check there is, in stages. The quick ones all run, so that one report says all that they found; the tests
// follow when nothing was found. `--full` runs each guarantee as often as it is stated, which takes much longer. `--touched` runs what a change
// needs (touched.ts). `--busy` runs all of it beside a program that keeps all cores busy (busy.ts).

import { fork, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { findStoreProgram } from '@lotline/torture/store'
import pMap from 'p-map'
import { ANSWERS_DIRECTORY, COMPILED_DIRECTORY, SKIPPED_FILE } from './run-files.ts'
import { runTouched } from './run-touched.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const FULL = process.argv.includes('--full')
const ENVIRONMENT = {
  ...process.env,
  // A run starts a thousand processes of Node, and most of them read the same modules.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? COMPILED_DIRECTORY,
  // The tools open no connection to the outside while they check.
  TURBO_TELEMETRY_DISABLED: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  ...(FULL && { LOTLINE_FULL: '1' }),
}

interface RunCheck {
  readonly name: string
  readonly run: readonly [command: string, ...args: string[]]
  readonly environment?: Readonly<Record<string, string>>
  /** The program that this machine lacks and the check needs. */
  readonly lacking?: string | undefined
}

/** The same command as `pnpm schema-diff`. */
const SCHEMA_DIFF: RunCheck['run'] = [
  process.execPath,
  'packages/schema-diff/src/main.ts',
  '--base',
  'spec/releases',
  '--head',
  'spec/openapi.yaml',
  '--policy',
  'spec/compatibility.yaml',
]

/** Quick checks, the longest first. */
const QUICK: readonly RunCheck[] = [
  { name: 'types fit', run: ['turbo', 'run', 'typecheck', '--output-logs=errors-only'] },
  {
    name: 'the contract keeps the rules of Spectral',
    run: ['spectral', 'lint', 'packages/contract/src/generated/openapi.json', '--fail-severity=warn'],
  },
  { name: 'nothing in the contract breaks a client', run: SCHEMA_DIFF },
  { name: 'what was accepted stays accepted', run: node('release/src/calls/main.ts') },
  { name: 'generated files are up to date', run: node('generate/src/all.ts', '--check') },
  {
    name: 'both contracts follow the style rules',
    run: ['redocly', 'lint', 'openapi', 'provider', '--format=stylish'],
  },
  { name: 'code is linted and formatted', run: ['biome', 'check', '.'] },
  { name: 'the code rules hold', run: node('tidy/src/main.ts') },
]
/** Quick checks run in parallel up to this number, because each one begins by reading files. */
const QUICK_AT_A_TIME = 3

// Four files at a time on two cores: they wait for processes, leases, and disks as much as they work. A bound in the root's
// settings would not reach the projects, and their own default on two cores is one.
const VITEST = ['vitest', 'run', '--maxWorkers=4'] as const
const SHORT = FULL ? [] : ['--short']

const TESTS: RunCheck = { name: 'tests pass', run: VITEST }

const AFTER_TESTS: readonly RunCheck[] = [
  { name: 'every documented answer is reached', run: node('check/src/answers-reached.ts') },
  // The service's tests once more, with their calls sent by the SDK (apps/api/test/setup/send-through-sdk.ts).
  ...(FULL
    ? [
        {
          name: 'tests pass through the SDK',
          run: [...VITEST, 'apps/api'] as const,
          environment: { LOTLINE_THROUGH_SDK: '1' },
        },
      ]
    : []),
]

const HAS_STORE = findStoreProgram() !== undefined

const SINGLE: RunCheck = {
  name: 'under torture nothing is lost, doubled or let through',
  run: node('torture/src/main.ts', ...SHORT),
}
const SCALED: RunCheck = {
  name: 'under torture nothing is lost, doubled or let through by several processes over one store',
  run: node('torture/src/main.ts', '--set', 'scaled', ...SHORT),
  lacking: HAS_STORE ? undefined : 'valkey-server or redis-server',
}
// The set with a store has the faults of the other one, too. Without a store, the usual run has the set that needs none.
const TORTURE: readonly RunCheck[] = FULL || !HAS_STORE ? [SINGLE, SCALED] : [SCALED]

/** Each keeps two cores busy, and its checks have bounds of time. */
const TORTURE_AT_A_TIME = FULL || availableParallelism() < 4 ? 1 : 2

const busy = process.argv.includes('--busy')
  ? fork(fileURLToPath(new URL('busy.ts', import.meta.url)))
  : undefined
if (process.argv.includes('--touched')) {
  const code = runTouched(ROOT, process.argv.slice(2))
  busy?.disconnect()
  process.exit(code)
}

// Responses that an earlier run reached are deleted, because they prove nothing about this run.
rmSync(ANSWERS_DIRECTORY, { recursive: true, force: true })
rmSync(SKIPPED_FILE, { force: true })

let skippedChecks = 0
const failed: RunCheck[] = []
await runTogether(QUICK, QUICK_AT_A_TIME)
if (failed.length === 0) {
  await runAlone(TESTS)
  for (const check of AFTER_TESTS) await runAlone(check)
  await runTogether(TORTURE, TORTURE_AT_A_TIME)
}

const skippedTests = existsSync(SKIPPED_FILE) ? readFileSync(SKIPPED_FILE, 'utf8').split('\n').length - 1 : 0
for (const { name } of failed) console.error(`✖ failed: ${name}`)
console.log(`\n${failed.length} checks failed, ${skippedChecks} checks and ${skippedTests} tests skipped`)
process.exitCode = failed.length === 0 ? 0 : 1
busy?.disconnect()

/** A tool of this workspace. */
function node(file: string, ...args: string[]): RunCheck['run'] {
  return [process.execPath, `tools/${file}`, ...args]
}

/** Shows its output while it runs. */
async function runAlone(check: RunCheck): Promise<void> {
  if (isLacking(check)) return
  console.log(`\n▶ ${check.name}`)
  if (!(await passes(check, 'inherit'))) failed.push(check)
}

/** Shows the output of each when it has ended. */
async function runTogether(checks: readonly RunCheck[], concurrency: number): Promise<void> {
  if (concurrency === 1) {
    for (const check of checks) await runAlone(check)
    return
  }
  const runOne = async (check: RunCheck) => {
    if (isLacking(check)) return
    const output: Buffer[] = []
    const isPassed = await passes(check, (bytes) => output.push(bytes))
    process.stdout.write(`\n▶ ${check.name}\n${Buffer.concat(output).toString()}`)
    if (!isPassed) failed.push(check)
  }
  await pMap(checks, runOne, { concurrency })
}

/** One that this machine cannot make is skipped and says so; where nothing may be skipped, it fails by what it lacks. */
function isLacking({ name, lacking }: RunCheck): boolean {
  if (!lacking || process.env.LOTLINE_NO_SKIP === '1') return false
  skippedChecks++
  console.warn(`\nSKIPPED: ${name}: ${lacking} is not installed`)
  return true
}

/** @param output where its output goes, as it comes */
function passes(
  { run: [command, ...args], environment }: RunCheck,
  output: 'inherit' | ((bytes: Buffer) => void),
): Promise<boolean> {
  const stdio = output === 'inherit' ? 'inherit' : 'pipe'
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...ENVIRONMENT, ...environment },
    stdio: ['inherit', stdio, stdio],
  })
  if (output !== 'inherit') for (const stream of [child.stdout, child.stderr]) stream?.on('data', output)
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`${command} cannot be run: ${error.message}`)
      resolve(false)
    })
    child.once('close', (code) => resolve(code === 0))
  })
}
