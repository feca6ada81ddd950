// `pnpm recorded-calls`: what was accepted stays accepted. Judges the recorded calls by the contract as it is, in the schemas
// and in the checks of packages/contract, and lists those that are refused now, refused with another code, or partly ignored.
//
//   node tools/release/src/calls/main.ts                    exit code 1 if there is a difference
//   node tools/release/src/calls/main.ts --document FILE    the same, by the schemas of another document
//   node tools/release/src/calls/main.ts --record           records the calls anew, with the verdicts of the contract as it is
//
// With --root FOLDER, the recording and the baseline are those of another folder.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ReleaseRefusal } from '../refused.ts'
import { useDocument } from './with-document.ts'

const { values } = parseArgs({
  options: { document: { type: 'string' }, record: { type: 'boolean' }, root: { type: 'string' } },
})
if (values.document !== undefined) useDocument(JSON.parse(readFileSync(values.document, 'utf8')))
// These read the document when they are loaded.
const { checkCalls, recordCalls } = await import('./recording.ts')

const root = values.root ?? fileURLToPath(new URL('../../../..', import.meta.url))
if (values.record) {
  try {
    console.log(await recordCalls(root))
  } catch (error) {
    if (!(error instanceof ReleaseRefusal)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
} else {
  const { text, isRed } = await checkCalls(root, { anyBaseline: values.document !== undefined })
  console.log(text)
  process.exitCode = isRed ? 1 : 0
}
