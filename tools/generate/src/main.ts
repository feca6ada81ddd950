/**
 * `pnpm generate` writes packages/contract/src/generated out of spec/. `pnpm generate --check` writes nothing,
 * lists the files that are not up to date, and fails when there is one.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { generate } from './generate.ts'
import { compare, write } from './output.ts'

const root = new URL('../../../', import.meta.url)
const USAGE = `usage: pnpm generate [--check] [--spec FILE] [--out DIRECTORY]

  --check   write nothing; list the files that are not up to date and exit with 1 if there is one
  --spec    the contract (default: spec/openapi.yaml)
  --out     where the generated files belong (default: packages/contract/src/generated)`

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      spec: { type: 'string', default: fileURLToPath(new URL('spec/openapi.yaml', root)) },
      out: { type: 'string', default: fileURLToPath(new URL('packages/contract/src/generated', root)) },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const files = await generate(values.spec)
  const differences = await (values.check ? compare : write)(files, values.out)
  for (const { file, kind } of differences) console.log(`${kind.padEnd(8)}${file}`)
  if (differences.length === 0) console.log(`The ${files.size} generated files are up to date.`)
  else if (values.check) console.error('The generated files are out of date. Run `pnpm generate`.')
  return values.check && differences.length > 0 ? 1 : 0
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
