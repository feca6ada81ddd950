import { fileURLToPath } from 'node:url'
import { readPolicy } from '@lotline/schema-diff'

/** What the schema diff knows of this contract: spec/compatibility.yaml. */
export const policy = await readPolicy(
  fileURLToPath(new URL('../../../../spec/compatibility.yaml', import.meta.url)),
)
