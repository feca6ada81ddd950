// A vitest reporter that ends the run with one plain line, the same in every runner's log, and lists what was skipped. Where
// nothing may be skipped (LOTLINE_NO_SKIP=1), a skipped test fails the run, unless its file is on the list below.

import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { SKIPPED_FILE } from './run-files.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Files with tests that need more than a program that CI can install, and what they need. */
export const MAY_SKIP: Readonly<Record<string, string>> = {
  'apps/api/test/interfaces/cli/backup.test.ts': 'pnpm test:full',
  'apps/api/test/infrastructure/database/embedded-postgres-users.test.ts': 'root',
  'apps/api/test/infrastructure/database/embedded-postgres.test.ts': 'Linux',
  'apps/api/test/data/ingest/king-county.test.ts': '../shared/data',
  'apps/api/test/data/ingest/mappings.test.ts': '../shared/data',
  'apps/api/test/data/ingest/suggest-mapping.test.ts': '../shared/data',
  'apps/api/test/work/jobs/workers.test.ts': 'pnpm test:full',
  'apps/api/test/requests/operations/deploy.test.ts': 'Linux',
  'apps/api/test/data/sources/dataset/exactness.test.ts': 'pnpm test:full with ../shared/data',
  'apps/api/test/process/start/king-county.test.ts': '../shared/data',
  'apps/api/test/process/start/npx.test.ts': 'pnpm test:full',
}

export default class ClosingLine implements Reporter {
  readonly #skippedFile: string
  #isWhole = true

  constructor({ skippedFile = SKIPPED_FILE } = {}) {
    this.#skippedFile = skippedFile
  }

  onInit({ config }: Vitest): void {
    // With the name filter `-t`, vitest counts every other test as skipped.
    this.#isWhole = config.testNamePattern === undefined
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 }
    const skipped: string[] = []
    let forbidden = 0
    for (const module of modules) {
      if (module.errors().length > 0) counts.failed++
      const file = relative(ROOT, module.moduleId)
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed' || state === 'failed' || state === 'skipped') counts[state]++
        if (state !== 'skipped') continue
        skipped.push(`skipped: ${file} > ${test.fullName}${reasonOf(test, file)}`)
        if (!(file in MAY_SKIP)) forbidden++
      }
    }
    counts.failed += errors.length
    if (this.#isWhole && skipped.length > 0) {
      mkdirSync(dirname(this.#skippedFile), { recursive: true })
      appendFileSync(this.#skippedFile, `${skipped.join('\n')}\n`)
    }
    const isBreach = this.#isWhole && forbidden > 0 && process.env.LOTLINE_NO_SKIP === '1'
    if (isBreach) process.exitCode = 1
    // After vitest's own summary, which is printed in the same turn.
    setImmediate(() => {
      if (this.#isWhole) for (const line of skipped) console.log(line)
      if (isBreach) console.error(`✖ ${forbidden} tests were skipped, and LOTLINE_NO_SKIP=1 allows none`)
      console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
    })
  }
}

function reasonOf(test: TestCase, file: string): string {
  const result = test.result()
  const reason = (result?.state === 'skipped' ? result.note : undefined) ?? MAY_SKIP[file]
  return reason === undefined ? '' : ` (${reason})`
}
