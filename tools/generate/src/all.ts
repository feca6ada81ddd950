// `pnpm generate`: writes each generated file of the repository. With --check nothing is written, and it fails when one
// is not up to date.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** In order: the plans are a part of the contract, and the others read the contract. */
const GENERATORS = [
  'apps/api/guides/plan-tables.ts',
  'tools/generate/src/main.ts',
  'apps/api/guides/settings-table.ts',
  'apps/api/guides/price-table.ts',
  'apps/api/guides/listing-fields-table.ts',
  'apps/api/guides/error-texts.ts',
  'packages/client-python/build/python-types.ts',
  'packages/client-python/build/sync.ts',
  'tools/sample-data/src/ship.ts',
]

for (const file of GENERATORS) {
  const { status } = spawnSync(process.execPath, [file, ...process.argv.slice(2)], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}
