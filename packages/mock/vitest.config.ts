import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Building, packing and installing take their time, and more of it beside other tests.
    testTimeout: 180_000,
    // The default is a second.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
  },
})
