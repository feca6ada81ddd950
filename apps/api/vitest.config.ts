import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/cluster.ts'],
    // Some tests run real servers and wait for real recoveries; they end by themselves, this is for those that hang.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    // A browser on a busy machine. The default is a second.
    expect: { poll: { timeout: 20_000 } },
  },
})
