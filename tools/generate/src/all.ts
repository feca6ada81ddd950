// `pnpm generate`: writes each generated file of the repository. With --check nothing is written, nothing is taken from the
// cache, and it fails when one is not up to date. turbo.json has the programs' order, inputs, and outputs.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const TURBO = fileURLToPath(new URL('../../../node_modules/.bin/turbo', import.meta.url))
const NO_CACHE = ['--cache=local:,remote:', '--continue', '--output-logs=full']

/** All that is run is named: turbo gives the arguments to no other task. */
const TASKS = ['generate:plans', 'generate', 'generate:notebooks']

const args = process.argv.slice(2)
const options = args.includes('--check') ? NO_CACHE : ['--output-logs=new-only']
const { status, error } = spawnSync(TURBO, ['run', ...TASKS, ...options, '--', ...args], {
  cwd: ROOT,
  stdio: 'inherit',
})
if (error) throw error
process.exitCode = status ?? 1
