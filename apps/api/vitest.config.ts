import { defineConfig } from 'vitest/config'
import { makeTemporaryRoot } from './test/setup/temporary-root.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/cluster.ts'],
    env: { TMPDIR: makeTemporaryRoot() },
    // Files share a process, one after the other: a process for each of them would import and warm up the service each time,
    // which is a fifth of the run. So a file must leave nothing behind, such as a fake clock or a changed environment.
    isolate: false,
    // Four such processes share two cores: helpers of the collector take processor time from the others, and short-lived answers
    // need not be looked at often.
    execArgv: ['--single-threaded-gc', '--max-semi-space-size=64'],
    // Some tests run real servers and wait for real recoveries; they end by themselves, this is for those that hang.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 30_000,
    // A browser on a busy machine. The default is a second.
    expect: { poll: { timeout: 20_000 } },
  },
})
