import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: '@lotline/client-python',
    include: ['test/**/*.test.ts'],
    // A first run also installs the data frame libraries.
    testTimeout: 600_000,
    // The default is a second.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
  },
})
