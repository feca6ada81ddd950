// What one check of a run leaves for another.

import { fileURLToPath } from 'node:url'

const cached = (name: string) =>
  fileURLToPath(new URL(`../../../node_modules/.cache/lotline/${name}`, import.meta.url))

/** Where the tests of the service note the answers they get (apps/api/test/setup/contract-check.ts). */
export const ANSWERS_DIRECTORY = cached('answers')

/** Where the runs of vitest note the tests that they skipped, one on each line. */
export const SKIPPED_FILE = cached('skipped.txt')

/** Where processes of Node keep the modules that they have compiled. */
export const COMPILED_DIRECTORY = cached('compiled')
