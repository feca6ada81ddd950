import { defineConfig } from 'vitest/config'

// One run over all projects: one report, one closing line, one coverage of the contract.
export default defineConfig({
  test: {
    projects: ['packages/*', 'apps/*', 'tools/*'],
    reporters: ['default', './tools/check/src/closing-line.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
