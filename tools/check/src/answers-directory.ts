import { fileURLToPath } from 'node:url'

/** Where the tests of the service note the answers they get (apps/api/test/setup/contract-check.ts). */
export const ANSWERS_DIRECTORY = fileURLToPath(
  new URL('../../../node_modules/.cache/lotline/answers', import.meta.url),
)
