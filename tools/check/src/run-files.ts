// Files that one check of a run leaves for another.

import { fileURLToPath } from 'node:url'

const cached = (name: string) =>
  fileURLToPath(new URL(`../../../node_modules/.cache/lotline/${name}`, import.meta.url))

/** Where the tests of the service note the answers they get (apps/api/test/setup/contract-check.ts). */
export const ANSWERS_DIRECTORY = cached('answers')

/** The file in which vitest runs record skipped tests, one per line. */
export const SKIPPED_FILE = cached('skipped.txt')

/** The directory in which Node processes cache compiled modules. */
export const COMPILED_DIRECTORY = cached('compiled')
