// `node tools/check/src/answers-reached.ts`, after a whole run of the tests: every answer that the contract documents was
// reached by one of them, or stands on the list of what cannot be reached yet.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { judgeCoverage } from './coverage.ts'
import { ANSWERS_DIRECTORY } from './run-files.ts'

const LIST = 'apps/api/test/contract/uncovered.txt'
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const { documented, missing, reachedAfterAll, unknown, faults } = judgeCoverage(
  readReached(),
  readFileSync(join(ROOT, LIST), 'utf8'),
)
report('documented, but not covered by a test. Write a test', missing)
report(`now covered by a test. Remove it from the list in ${LIST}`, reachedAfterAll)
report(`not in the contract. Remove it from the list in ${LIST}`, unknown)
report(`a fault of ${LIST}`, faults)

const wrong = missing.length + reachedAfterAll.length + unknown.length + faults.length
console.log(`${documented.length} documented answers, ${wrong} to put right`)
process.exitCode = wrong === 0 ? 0 : 1

function readReached(): Set<string> {
  if (!existsSync(ANSWERS_DIRECTORY)) return new Set()
  const texts = readdirSync(ANSWERS_DIRECTORY).map((name) =>
    readFileSync(join(ANSWERS_DIRECTORY, name), 'utf8'),
  )
  return new Set(texts.flatMap((text) => text.split('\n')))
}

function report(what: string, lines: readonly string[]): void {
  for (const line of lines) console.error(`${line}  (${what})`)
}
