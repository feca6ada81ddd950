import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Hundreds of comparisons, and programs that are started, beside other tests.
    testTimeout: 180_000,
    // The default is a second.
    expect: { poll: { timeout: 20_000 } },
  },
})
