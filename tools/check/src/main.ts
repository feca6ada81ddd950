// `pnpm test`: every check there is. The quick ones all run, so that one report says all that they found; the tests
// follow when nothing was found. `--full` runs each guarantee as often as it is stated, which takes much longer.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findStoreProgram } from '@lotline/torture/store'
import { ANSWERS_DIRECTORY, SKIPPED_FILE } from './run-files.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const FULL = process.argv.includes('--full')
/** The tools open no connection to the outside while they check. */
const ENVIRONMENT = {
  ...process.env,
  TURBO_TELEMETRY_DISABLED: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  ...(FULL && { LOTLINE_FULL: '1' }),
}

interface Check {
  readonly name: string
  readonly run: readonly [command: string, ...args: string[]]
  readonly environment?: Readonly<Record<string, string>>
  /** What this machine has not, without which the check cannot be made. */
  readonly lacking?: string | undefined
}

/** As `pnpm schema-diff`. */
const SCHEMA_DIFF: Check['run'] = [
  process.execPath,
  'packages/schema-diff/src/main.ts',
  ...['--base', 'spec/releases', '--head', 'spec/openapi.yaml', '--policy', 'spec/compatibility.yaml'],
]

const QUICK: readonly Check[] = [
  { name: 'nothing in the contract breaks a client', run: SCHEMA_DIFF },
  { name: 'generated files are up to date', run: node('generate/src/all.ts', '--check') },
  {
    name: 'both contracts follow the style rules',
    run: ['redocly', 'lint', 'openapi', 'provider', '--format=stylish'],
  },
  {
    name: 'the contract keeps the rules of Spectral',
    run: ['spectral', 'lint', 'packages/contract/src/generated/openapi.json', '--fail-severity=warn'],
  },
  { name: 'code is linted and formatted', run: ['biome', 'check', '.'] },
  { name: 'the code rules hold', run: node('tidy/src/main.ts') },
  { name: 'types fit', run: ['turbo', 'run', 'typecheck', '--output-logs=errors-only'] },
]

// Four files at a time on two cores: they wait for processes, leases, and disks as much as they work. A bound in the root's
// settings would not reach the projects, and their own default on two cores is one.
const VITEST = ['vitest', 'run', '--maxWorkers=4'] as const
const SHORT = FULL ? [] : ['--short']

const TESTS: readonly Check[] = [
  { name: 'tests pass', run: VITEST },
  { name: 'every documented answer is reached', run: node('check/src/answers-reached.ts') },
  {
    name: 'under torture nothing is lost, doubled or let through',
    run: node('torture/src/main.ts', ...SHORT),
  },
  {
    name: 'nor with several processes over one store',
    run: node('torture/src/main.ts', '--set', 'scaled', ...SHORT),
    lacking: findStoreProgram() === undefined ? 'valkey-server or redis-server' : undefined,
  },
]

const FULL_TESTS: readonly Check[] = [
  // The service's tests once more, with their calls sent by the SDK (apps/api/test/setup/send-through-sdk.ts).
  {
    name: 'tests pass through the SDK',
    run: [...VITEST, 'apps/api'],
    environment: { LOTLINE_THROUGH_SDK: '1' },
  },
]

// What the tests of an earlier run reached proves nothing about these.
rmSync(ANSWERS_DIRECTORY, { recursive: true, force: true })
rmSync(SKIPPED_FILE, { force: true })

let skippedChecks = 0
const failed = QUICK.filter((check) => !passes(check))
if (failed.length === 0) {
  for (const check of [...TESTS, ...(FULL ? FULL_TESTS : [])]) if (!passes(check)) failed.push(check)
}

const skippedTests = existsSync(SKIPPED_FILE) ? readFileSync(SKIPPED_FILE, 'utf8').split('\n').length - 1 : 0
for (const { name } of failed) console.error(`✖ failed: ${name}`)
console.log(`\n${failed.length} checks failed, ${skippedChecks} checks and ${skippedTests} tests skipped`)
process.exitCode = failed.length === 0 ? 0 : 1

/** A tool of this workspace. */
function node(file: string, ...args: string[]): Check['run'] {
  return [process.execPath, `tools/${file}`, ...args]
}

/** One that this machine cannot make is skipped and says so; where nothing may be skipped, it fails by what it lacks. */
function passes({ name, run: [command, ...args], environment, lacking }: Check): boolean {
  if (lacking && process.env.LOTLINE_NO_SKIP !== '1') {
    skippedChecks++
    console.warn(`\nSKIPPED: ${name}: ${lacking} is not installed`)
    return true
  }
  console.log(`\n▶ ${name}`)
  const { status, error } = spawnSync(command, args, {
    cwd: ROOT,
    env: { ...ENVIRONMENT, ...environment },
    stdio: 'inherit',
  })
  if (error) console.error(`${command} cannot be run: ${error.message}`)
  return status === 0
}
