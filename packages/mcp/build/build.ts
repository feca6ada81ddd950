// What is published: the command as one ES module, with the contract and the SDK inside. Packages of others stay dependencies.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const ROOT = join(import.meta.dirname, '..')
const OUT = join(ROOT, 'dist')

await rm(OUT, { recursive: true, force: true })
const bundle = await rolldown({
  input: join(ROOT, 'src/main.ts'),
  platform: 'node',
  transform: { target: 'node20' },
  external: [/^(?:@modelcontextprotocol\/|ajv(?:\/|$)|openapi-fetch$)/],
  onLog(level, log) {
    if (level === 'warn') throw new Error(log.message)
  },
})
await bundle.write({ file: join(OUT, 'main.js'), format: 'esm', comments: false })
await bundle.close()
