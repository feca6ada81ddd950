// `node tools/tidy/src/main.ts`: checks the code rules over the whole tree and lists each breach with its place.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findBreaches } from './rules.ts'
import { trackedFiles } from './tracked-files.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const files = trackedFiles(ROOT)
const breaches = findBreaches(files, (file) => readFileSync(`${ROOT}/${file}`, 'utf8'))
for (const { file, line, rule } of breaches) console.error(`${file}:${line}  ${rule}`)
console.log(`${files.length} files, ${breaches.length} breaches of the code rules`)
process.exitCode = breaches.length === 0 ? 0 : 1
