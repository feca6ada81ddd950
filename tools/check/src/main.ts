// `pnpm test`: every check in order, the quick ones first, stopping at the first that fails.

import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ANSWERS_DIRECTORY } from './answers-directory.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const CHECKS: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['the generated contract is up to date', process.execPath, 'tools/generate/src/main.ts', '--check'],
  ['both contracts follow the house style', 'redocly', 'lint', 'openapi', 'provider', '--format=stylish'],
  ['nothing in the contract breaks a client', process.execPath, 'tools/schema-diff/src/main.ts'],
  ['code is linted and formatted', 'biome', 'check', '.'],
  ['the house rules hold', process.execPath, 'tools/tidy/src/main.ts'],
  ['types fit', 'turbo', 'run', 'typecheck', '--output-logs=errors-only'],
  ['tests pass', 'vitest', 'run'],
  ['every documented answer is reached', process.execPath, 'tools/check/src/answers-reached.ts'],
]

/** The tools call nobody while they check. */
const ENVIRONMENT = {
  ...process.env,
  TURBO_TELEMETRY_DISABLED: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}

// What the tests of an earlier run reached proves nothing about these.
rmSync(ANSWERS_DIRECTORY, { recursive: true, force: true })

for (const [name, command, ...args] of CHECKS) {
  console.log(`\n▶ ${name}`)
  const { status, signal, error } = spawnSync(command, args, {
    cwd: ROOT,
    env: ENVIRONMENT,
    stdio: 'inherit',
  })
  if (status === 0) continue
  console.error(`\n✖ ${name}: failed${error ? ` (${error.message})` : signal ? ` (${signal})` : ''}`)
  process.exit(1)
}
