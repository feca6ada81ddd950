// `pnpm generators [--all] [--only NAME]...`: generates a client with each stock generator, compiles it, reads every example of
// the contract with it, and runs the scenario against a service of its own. Ends with 1 when one of them fails.

import { parseArgs } from 'node:util'
import { checkGenerator } from './check-generator.ts'
import { findMissing } from './find-missing.ts'
import { GENERATORS } from './generators.ts'
import { startService } from './running-service.ts'

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(`Usage: pnpm generators [--all] [--only NAME]

Generates a client with each stock generator, compiles it, reads every example with it, and runs a scenario.

  --all        also the slow ones, which the full test run has
  --only NAME  one generator; can be repeated: ${GENERATORS.map(({ name }) => name).join(', ')}

Exit codes: 0 success, 1 a generator failed, 2 wrong command line.`)
  process.exit(0)
}

const unknown = values.only.filter((name) => !GENERATORS.some((generator) => generator.name === name))
if (unknown.length > 0) {
  const names = GENERATORS.map(({ name }) => name).join(', ')
  console.error(`Unknown generator: ${unknown.join(', ')}. Use one of ${names}.`)
  process.exit(2)
}
const chosen = GENERATORS.filter(({ name, slow }) =>
  values.only.length > 0 ? values.only.includes(name) : values.all || !slow,
)

let failed = 0
const service = await startService()
try {
  for (const generator of chosen) {
    const missing = findMissing(generator.needs)
    if (missing.length > 0) {
      const mustRun = process.env.LOTLINE_NO_SKIP === '1'
      if (mustRun) failed++
      console.error(`${mustRun ? '✖' : 'SKIPPED:'} ${generator.name}: ${missing.join(', ')} is not installed`)
      continue
    }
    const started = performance.now()
    try {
      const { examples, steps } = await checkGenerator(generator, service)
      const seconds = ((performance.now() - started) / 1_000).toFixed(0)
      console.log(`✔ ${generator.name}: ${examples} examples, ${steps.length} scenario steps, ${seconds} s`)
    } catch (error) {
      failed++
      console.error(`✖ ${generator.name}: ${error instanceof Error ? error.message : error}`)
    }
  }
} finally {
  await service.close()
}
process.exitCode = failed === 0 ? 0 : 1
