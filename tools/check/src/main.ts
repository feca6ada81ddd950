// `pnpm test`: every check there is. The quick ones all run, so that one report says all that they found; the tests
// follow when nothing was found. `--full` runs each guarantee as often as it is stated, which takes much longer.

import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findStoreProgram } from '../../torture/src/set/store.ts'
import { ANSWERS_DIRECTORY } from './answers-directory.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const FULL = process.argv.includes('--full')
/** The tools call nobody while they check. */
const ENVIRONMENT = {
  ...process.env,
  TURBO_TELEMETRY_DISABLED: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  ...(FULL && { LOTLINE_FULL: '1' }),
}

type Check = readonly [name: string, command: string, ...args: string[]]

const QUICK: readonly Check[] = [
  ['nothing in the contract breaks a client', process.execPath, 'tools/schema-diff/src/main.ts'],
  ['the generated contract is up to date', process.execPath, 'tools/generate/src/main.ts', '--check'],
  ['both contracts follow the house style', 'redocly', 'lint', 'openapi', 'provider', '--format=stylish'],
  ['code is linted and formatted', 'biome', 'check', '.'],
  ['the house rules hold', process.execPath, 'tools/tidy/src/main.ts'],
  ['types fit', 'turbo', 'run', 'typecheck', '--output-logs=errors-only'],
]

const TESTS: readonly Check[] = [
  // Two files at a time on two cores: they wait as much as they work. A bound in the root's settings would not reach the
  // projects, and their own default on two cores is one.
  ['tests pass', 'vitest', 'run', '--maxWorkers=2'],
  ['every documented answer is reached', process.execPath, 'tools/check/src/answers-reached.ts'],
  [
    'under torture nothing is lost, doubled or let through',
    process.execPath,
    ...['tools/torture/src/main.ts', ...(FULL ? [] : ['--short'])],
  ],
]
const WITH_STORE: Check = [
  'nor with several processes over one store',
  process.execPath,
  ...['tools/torture/src/main.ts', '--set', 'scaled', ...(FULL ? [] : ['--short'])],
]

const FULL_TESTS: readonly (readonly [check: Check, environment: Readonly<Record<string, string>>])[] = [
  // The service's tests once more, with their calls sent by the SDK (apps/api/test/setup/send-through-sdk.ts).
  [
    ['tests pass through the SDK', 'vitest', 'run', '--maxWorkers=2', 'apps/api'],
    { LOTLINE_THROUGH_SDK: '1' },
  ],
]

// What the tests of an earlier run reached proves nothing about these.
rmSync(ANSWERS_DIRECTORY, { recursive: true, force: true })

const failed = QUICK.filter((check) => !passes(check))
if (failed.length === 0) {
  for (const check of TESTS) if (!passes(check)) failed.push(check)
  if (!hasStore()) console.warn(`\nSKIPPED: ${WITH_STORE[0]}: valkey-server or redis-server is not installed`)
  else if (!passes(WITH_STORE)) failed.push(WITH_STORE)
  if (FULL) for (const [check, more] of FULL_TESTS) if (!passes(check, more)) failed.push(check)
}

for (const [name] of failed) console.error(`✖ failed: ${name}`)
process.exitCode = failed.length === 0 ? 0 : 1

/** Where nothing may be skipped, the check itself says what it lacks. */
function hasStore(): boolean {
  return process.env.LOTLINE_NO_SKIP === '1' || findStoreProgram() !== undefined
}

function passes([name, command, ...args]: Check, more: Readonly<Record<string, string>> = {}): boolean {
  console.log(`\n▶ ${name}`)
  const { status, error } = spawnSync(command, args, {
    cwd: ROOT,
    env: { ...ENVIRONMENT, ...more },
    stdio: 'inherit',
  })
  if (error) console.error(`${command} cannot be run: ${error.message}`)
  return status === 0
}
