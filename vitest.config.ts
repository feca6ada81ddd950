// Why: decisions/tests/one-vitest-run.md

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import LongestFirst from './tools/check/src/longest-first.ts'

/** Of tests that have no bound of their own: for those that hang. Vitest's 5 s, and its second for a poll, are too few for a machine that is busy. */
const TIMEOUTS = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 20_000 } } }

/** Packages without a configuration of their own. Vitest would give these its own defaults, not those below. */
const PLAIN = ['apps', 'packages', 'tools']
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((root) => existsSync(join(root, 'package.json')) && !existsSync(join(root, 'vitest.config.ts')))

/** Their tests keep no state outside of themselves, so that their files can share a process instead of starting one each. */
const SHARING = ['@lotline/bench', '@lotline/contract', '@lotline/sample-data', '@lotline/tidy']

const nameOf = (root: string): string => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).name

// One run over all projects: one report, one closing line, one coverage of the contract.
export default defineConfig({
  test: {
    projects: [
      'apps/*/vitest.config.ts',
      'packages/*/vitest.config.ts',
      ...PLAIN.map((root) => {
        const name = nameOf(root)
        return { root, test: { name, isolate: !SHARING.includes(name), ...TIMEOUTS } }
      }),
    ],
    reporters: ['default', './tools/check/src/closing-line.ts'],
    sequence: { sequencer: LongestFirst },
  },
})
