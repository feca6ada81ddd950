// `pnpm bench`: measures every claim about speed and size, ours and its baseline in turns within one run, and prints a
// table. Nothing leaves this machine, and nothing stays on it.

import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { withBench } from './bench.ts'
import { toChart } from './chart.ts'
import { describeMachine, machineLines, noteLoadAfter } from './machine.ts'
import { type Measurement, measure } from './measurement.ts'
import { toReport } from './report.ts'
import type { Row } from './row.ts'
import { MEASUREMENTS } from './rows/index.ts'
import { toTable } from './table.ts'

const namesOf = (some: readonly Measurement[]) => some.map(({ name }) => name).join(', ')
const USAGE = `Usage: pnpm bench [--json FILE] [--svg FILE] [--only NAME] [--all] [--seconds N] [--rounds N]

  --json FILE   also write the figures as JSON
  --svg FILE    also draw them
  --only NAME   one measurement; may be given several times:
                ${namesOf(MEASUREMENTS.filter((one) => !one.onlyWhenAsked))};
                and, left out unless asked for:
                ${namesOf(MEASUREMENTS.filter((one) => one.onlyWhenAsked))}
  --all         those that are left out as well
  --seconds N   how long each side is measured in a round; default 2
  --rounds N    how often each side is measured; default 5
`

const { values } = parseArgs({
  // `pnpm bench -- --only lookup` passes the dashes on.
  args: process.argv.slice(2).filter((arg, at) => at > 0 || arg !== '--'),
  options: {
    json: { type: 'string' },
    svg: { type: 'string' },
    only: { type: 'string', multiple: true },
    all: { type: 'boolean', default: false },
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
  const wanted = MEASUREMENTS.filter(
    ({ name, onlyWhenAsked }) => values.only?.includes(name) ?? (values.all || !onlyWhenAsked),
  )
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
  const facts = [...machineLines(machine), `medians of ${rounds} rounds of ${seconds} s`]
  const spread = 'in brackets the least and the greatest of the rounds'
  process.stdout.write(`\n${[...facts, spread, '', ...toTable(rows)].join('\n')}\n`)
  if (values.json !== undefined) {
    const report = toReport(rows, { machine, rounds, seconds })
    await writeFile(values.json, `${JSON.stringify(report, undefined, 2)}\n`)
  }
  if (values.svg !== undefined) await writeFile(values.svg, toChart(rows, facts))
}
