// `pnpm bench`: measures every claim about speed and size, ours and its baseline in turns within one run, and prints a
// table. Nothing leaves this machine, and nothing stays on it.

import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { withBench } from './bench.ts'
import { describeMachine, machineLines, noteLoadAfter } from './machine.ts'
import { measure } from './measurement.ts'
import type { Row } from './row.ts'
import { MEASUREMENTS } from './rows/index.ts'
import { toTable } from './table.ts'

const USAGE = `Usage: pnpm bench [--json FILE] [--only NAME] [--seconds N] [--rounds N]

  --json FILE   also write the figures as JSON
  --only NAME   one measurement: ${MEASUREMENTS.map(({ name }) => name).join(', ')}; may be given several times
  --seconds N   how long each side is measured in a round; default 2
  --rounds N    how often each side is measured; default 5
`

const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    only: { type: 'string', multiple: true },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean', short: 'h' },
  },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const unknown = values.only?.find((name) => !MEASUREMENTS.some((one) => one.name === name))

if (values.help) process.stdout.write(USAGE)
else if (!(seconds > 0) || !Number.isInteger(rounds) || rounds < 1 || unknown !== undefined) {
  process.stderr.write(USAGE)
  process.exitCode = 2
} else await run()

async function run(): Promise<void> {
  const machine = describeMachine()
  const wanted = MEASUREMENTS.filter(({ name }) => values.only?.includes(name) ?? true)
  const rows = await withBench({ seconds, rounds }, async (bench) => {
    const rows: Row[] = []
    for (const measurement of wanted) {
      const began = performance.now()
      process.stderr.write(`${measurement.name} … `)
      rows.push(...(await measure(measurement, bench)))
      process.stderr.write(`${((performance.now() - began) / 1_000).toFixed(0)} s\n`)
    }
    machine.postgres = bench.postgres
    return rows
  })
  noteLoadAfter(machine)
  const method = `medians of ${rounds} rounds of ${seconds} s, in brackets the least and the greatest`
  process.stdout.write(`\n${[...machineLines(machine), method, '', ...toTable(rows)].join('\n')}\n`)
  if (values.json !== undefined) {
    const report = { measuredAt: new Date().toISOString(), machine, rounds, seconds, rows }
    await writeFile(values.json, `${JSON.stringify(report, undefined, 2)}\n`)
  }
}
