import { defineConfig } from 'vitest/config'

// One run over all projects: one report, one closing line, one coverage of the contract.
export default defineConfig({
  test: {
    projects: ['packages/*', 'apps/*', 'tools/*'],
    reporters: ['default', './tools/check/src/closing-line.ts'],
    // Two cores, and tests that wait as much as they work.
    maxWorkers: 4,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
