// A soak: the clients of a torture run call for hours at a steady, low rate and without faults, while memory,
// connections, open files, and table sizes are measured. Afterwards the auditor judges the run as any other.

import { appendFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { audit, type CheckVerdict } from '../audit/audit.ts'
import { nowMs } from '../clock.ts'
import type { Form } from '../schedule.ts'
import type { TortureSet } from '../set/torture-set.ts'
import { withTorture } from '../torture.ts'
import { type Growth, growthOf, seriesOf } from './growth.ts'
import { CSV_HEAD, csvLines, memoryPicture } from './report.ts'
import { type SoakSample, startSampler } from './samples.ts'

export interface SoakOptions {
  /** How long the clients call, in minutes. */
  readonly minutes: number
  readonly seed: string
  readonly set: TortureSet['kind']
  /** An empty directory for the evidence. */
  readonly directory: string
  /** Where every value is written as it is measured, and next to it the picture, as `.svg`. */
  readonly csv: string
  readonly say: (line: string) => void
}

export interface SoakResult {
  readonly growths: readonly Growth[]
  readonly verdicts: readonly CheckVerdict[]
}

const MIN_EVERY_MS = 1_000
const MAX_EVERY_MS = 30_000
/** Between two turns of a client on the average: 14 clients then make some 50 calls a second. */
const CLIENT_PAUSE_MS = 250

/** Throws what the run threw; the CSV file then has the values up to there. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { minutes, seed, set, directory, csv, say } = options
  const form: Form = {
    name: 'soak',
    faults: {},
    gapMs: [0, 0],
    leastMs: minutes * 60_000,
    trouble: 0,
    homes: 1_200,
    diskMebibytes: 2_000 + 40 * minutes,
    clientPauseMs: CLIENT_PAUSE_MS,
    feed: { pauseMs: 30_000, importKills: 0, evaluationKills: 0, replicaFaults: 'none' },
  }
  const samples: SoakSample[] = []
  await writeFile(csv, `${CSV_HEAD}\n`)
  const everyMs = Math.min(MAX_EVERY_MS, Math.max(MIN_EVERY_MS, form.leastMs / 120))
  const verdicts = await withTorture(
    { form, seed, set, directory, say, watch: (running) => measure(running, everyMs, csv, samples, say) },
    audit,
  )
  const series = seriesOf(samples)
  await writeFile(csv.replace(/(\.csv)?$/, '.svg'), memoryPicture(series))
  return { growths: series.map(growthOf), verdicts }
}

/** Measures until it is told to stop. A value that cannot be read ends the soak: it would be a gap in the curve. */
async function measure(
  set: TortureSet,
  everyMs: number,
  csv: string,
  samples: SoakSample[],
  say: (line: string) => void,
): Promise<() => Promise<void>> {
  const sampler = await startSampler(set)
  const since = nowMs()
  const stopping = new AbortController()
  let reportedS = 0

  async function run(): Promise<void> {
    for (let round = 1; !stopping.signal.aborted; round++) {
      const taken = await sampler.take((nowMs() - since) / 1_000)
      samples.push(...taken)
      await appendFile(csv, `${csvLines(taken).join('\n')}\n`)
      const atS = taken[0]?.atS ?? 0
      if (atS - reportedS >= 300 || round === 1) {
        reportedS = atS
        say(lineOf(taken))
      }
      const pauseMs = Math.max(0, since + round * everyMs - nowMs())
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const running = run()
  running.catch(() => {})
  return async () => {
    stopping.abort()
    await running.finally(() => sampler.close())
  }
}

function lineOf(taken: readonly SoakSample[]): string {
  const memory = taken
    .filter(({ kind }) => kind === 'memory')
    .map(({ name, value }) => `${name} ${Math.round(value / 1_048_576)}`)
  const one = (kind: SoakSample['kind']) =>
    taken.find((sample) => sample.kind === kind && sample.name === 'all')?.value
  return `MiB: ${memory.join(', ')}; ${one('connections')} connections; ${one('calls')} usage rows`
}
