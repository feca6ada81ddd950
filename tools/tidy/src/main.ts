// `node tools/tidy/src/main.ts`: checks the code rules over the whole tree and lists each breach with its place.
//
// `--shrink-words` writes the list of words that break STYLE.md anew, unless it would grow. `--release-migrations` adds the hashes of all
// migrations to the list of those that never change. `--figures` prints the counts of ARCHITECTURE.md.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findLongSubjects } from './commit-subjects.ts'
import { readFigures } from './figures.ts'
import { findEditedMigrations, listOf, releaseLines } from './released-migrations.ts'
import { findRemovedReleases, RELEASED } from './removed-releases.ts'
import { findBreaches, readTree } from './rules.ts'
import { trackedFiles } from './tracked-files.ts'
import { BASELINE_FILE, type Baseline, countWords, grownKinds } from './words.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const read = (file: string) => readFileSync(`${ROOT}/${file}`, 'utf8')
const files = trackedFiles(ROOT)

if (process.argv.includes('--shrink-words')) shrinkWords()
else if (process.argv.includes('--release-migrations')) releaseMigrations()
else if (process.argv.includes('--figures')) printFigures()
else checkAll()

function checkAll(): void {
  const breaches = findBreaches(files, read)
  for (const { file, line, rule } of breaches) console.error(`${file}:${line}  ${rule}`)
  const subjects = findLongSubjects(ROOT)
  for (const subject of subjects) console.error(`commit ${subject}  a subject has at most 72 characters`)
  const removed = findRemovedReleases(ROOT)
  for (const line of removed) console.error(`${RELEASED}  a released migration stays on the list: ${line}`)
  const count = breaches.length + subjects.length + removed.length
  console.log(`${files.length} files, ${count} breaches of the code rules`)
  process.exitCode = count === 0 ? 0 : 1
}

function shrinkWords(): void {
  const after = countWords(readTree(files, read))
  const before: Baseline | undefined = files.includes(BASELINE_FILE)
    ? JSON.parse(read(BASELINE_FILE))
    : undefined
  const grown = before ? grownKinds(before, after) : []
  for (const line of grown) console.error(line)
  process.exitCode = grown.length === 0 ? 0 : 1
  if (grown.length > 0) return
  mkdirSync(dirname(`${ROOT}/${BASELINE_FILE}`), { recursive: true })
  writeFileSync(`${ROOT}/${BASELINE_FILE}`, `${JSON.stringify(after, null, 2)}\n`)
}

function releaseMigrations(): void {
  const tree = readTree(files, read)
  const edited = findEditedMigrations(tree)
  for (const { file, rule } of edited) console.error(`${file}  ${rule}`)
  process.exitCode = edited.length === 0 ? 0 : 1
  if (edited.length === 0) writeFileSync(`${ROOT}/${listOf(tree)}`, releaseLines(tree.migrations))
}

function printFigures(): void {
  for (const { name, items } of readFigures(readTree(files, read))) {
    console.log(`${items.length} ${name}`)
    for (const item of items) console.log(`  ${item}`)
  }
}
