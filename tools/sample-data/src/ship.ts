// `node tools/sample-data/src/ship.ts` writes the sample into packages/sample, which the service reads it from. With
// --check it writes nothing, and fails when the file is not up to date. The records are compared, not the compressed
// bytes: those may differ between versions of Node.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { SAMPLE_FILE } from '@lotline/sample'
import { sampleListings } from './index.ts'

/** The records that the file has to have, one a line. */
function wantedLines(): Buffer {
  return Buffer.from(Array.from(sampleListings(), (record) => `${JSON.stringify(record)}\n`).join(''))
}

export function isUpToDate(): boolean {
  return existsSync(SAMPLE_FILE) && brotliDecompressSync(readFileSync(SAMPLE_FILE)).equals(wantedLines())
}

if (import.meta.main && !isUpToDate()) {
  if (process.argv.includes('--check')) {
    console.error('The sample in packages/sample is out of date. Run node tools/sample-data/src/ship.ts')
    process.exitCode = 1
  } else {
    // Records repeat most of what the one before says, so a wide window halves the file.
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 }
    writeFileSync(SAMPLE_FILE, brotliCompressSync(wantedLines(), { params }))
  }
}
