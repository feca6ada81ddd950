// A vitest reporter that ends the run with one plain line, the same in every runner's log.

import type { Reporter, TestModule } from 'vitest/node'

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    for (const module of modules) {
      if (module.errors().length > 0) counts.failed++
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed' || state === 'failed' || state === 'skipped') counts[state]++
      }
    }
    counts.failed += errors.length
    // After vitest's own summary, which is printed in the same turn.
    setImmediate(() =>
      console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`),
    )
  }
}
