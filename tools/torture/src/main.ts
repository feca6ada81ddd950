// `pnpm torture`: runs the real service under everything that can go wrong and has the auditor judge what came of it.
// Nothing leaves this machine, and nothing stays on it, but for the evidence of a run that failed.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { audit, type CheckVerdict, linesOf } from './audit/audit.ts'
import { nowMs } from './clock.ts'
import { FORMS } from './schedule.ts'
import type { TortureSet } from './set/torture-set.ts'
import type { Growth } from './soak/growth.ts'
import { tableOf } from './soak/report.ts'
import { soak } from './soak/soak.ts'
import { withTorture } from './torture.ts'

const USAGE = `Usage: pnpm torture [--short] [--seed N] [--set single|scaled] [--keep]
       pnpm torture --hours N | --minutes N [--out FILE.csv] [--seed N] [--set single|scaled] [--keep]

  --short   a minute and a half instead of a quarter of an hour
  --seed N  does to the service what the run with this seed did, in the same order
  --set S   single (default): one process with its embedded database; scaled: three that answer and two that work, over one
            PostgreSQL and one Valkey or Redis, which must be on the path
  --keep    keeps the evidence of a clean run, too
  --hours N, --minutes N
            a soak: clients call for so long without faults, and memory, connections, and table sizes are reported over time
  --out F   the file with every value of a soak (default: soak.csv); the picture is next to it
`

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string' },
    set: { type: 'string', default: 'single' },
    keep: { type: 'boolean', default: false },
    hours: { type: 'string' },
    minutes: { type: 'string' },
    out: { type: 'string', default: 'soak.csv' },
    help: { type: 'boolean', short: 'h' },
  },
})

const minutes = values.minutes ?? (values.hours === undefined ? undefined : String(60 * Number(values.hours)))
const isWrong = minutes !== undefined && !(Number(minutes) > 0 && Number(minutes) <= 7 * 24 * 60)
if (values.help) process.stdout.write(USAGE)
else if ((values.set !== 'single' && values.set !== 'scaled') || isWrong) {
  process.stderr.write(USAGE)
  process.exitCode = 2
} else process.exitCode = await run(values.set)

async function run(set: TortureSet['kind']): Promise<number> {
  const seed = values.seed ?? String(Math.floor(Math.random() * 1_000_000_000))
  const form = FORMS[values.short ? 'short' : 'long']
  const isSoak = minutes !== undefined
  const directory = await mkdtemp(join(tmpdir(), 'lotline-torture-'))
  const since = nowMs()
  const say = (line: string) =>
    void process.stderr.write(`${((nowMs() - since) / 1_000).toFixed(1).padStart(7)} s  ${line}\n`)
  say(
    `${isSoak ? `soak of ${minutes} minutes` : `${form.name} form`}, ${set} set, seed ${seed}, evidence in ${directory}`,
  )
  const again = `pnpm torture ${isSoak ? `--minutes ${minutes} ` : values.short ? '--short ' : ''}--set ${set} --seed ${seed}`
  let verdicts: readonly CheckVerdict[]
  let growths: readonly Growth[] = []
  try {
    if (isSoak) {
      const soaked = await soak({ minutes: Number(minutes), seed, set, directory, csv: values.out, say })
      ;({ growths, verdicts } = soaked)
      process.stdout.write(`${tableOf(growths).join('\n')}\n\n`)
    } else verdicts = await withTorture({ form, seed, set, directory, say }, audit)
  } catch (error) {
    process.stderr.write(`${(error as Error).stack}\n`)
    process.stdout.write(`✖ The run broke off. The evidence is in ${directory}; again with: ${again}\n`)
    return 1
  }
  process.stdout.write(`${linesOf(verdicts).join('\n')}\n`)
  const failed = verdicts.filter(({ holds }) => !holds)
  const growing = growths.filter(({ complaint }) => complaint !== undefined)
  for (const { kind, name, complaint } of growing) process.stdout.write(`✖ ${kind} ${name}: ${complaint}\n`)
  if (failed.length === 0 && growing.length === 0) {
    if (!values.keep) await rm(directory, { recursive: true, force: true })
    process.stdout.write(`✔ ${verdicts.length} checks hold (seed ${seed}).\n`)
    return 0
  }
  process.stdout.write(
    `✖ ${failed.length} checks fail, ${growing.length} things grow. The evidence is in ${directory}; again with: ${again}\n`,
  )
  return 1
}
