// Reading a large result: how fast, how much memory the server takes for it, and whether the last page costs more than
// the first. The server is started anew before, so that what the job itself took is not mistaken for free room.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Measurement } from '../measurement.ts'
import { runJob } from '../processes/call.ts'
import { runChild } from '../processes/child.ts'
import { findRss } from '../processes/memory.ts'
import type { ReadOrder, ReadReport } from '../processes/read-result.ts'
import { median } from '../statistics.ts'

const READER = new URL('../processes/read-result.ts', import.meta.url)
const ROWS = 100_000
const PAGE = 1_000
const MB = 1024 * 1024
const LAST = ROWS - PAGE
const COUNTRY = { west: -125, south: 24, east: -66, north: 50 }
/** How often the first and the last page are read in a round. */
const PAIRS = 10

export const results: Measurement = {
  name: 'results',
  measures: [
    {
      name: 'result of 100,000 rows as NDJSON, pages of 1,000',
      unit: 'rows/s',
      target: { of: 'ours', bound: 'at least', value: 50_000 },
    },
    {
      name: 'growth of the server while it is read (RSS)',
      unit: 'MB',
      target: { of: 'ours', bound: 'at most', value: 60 },
    },
    {
      name: 'page at offset 99,000, beside the first',
      unit: 'ms',
      target: { of: 'ratio', bound: 'at most', value: 1.5 },
    },
    {
      name: 'search job of 100,000 rows, accepted to succeeded',
      unit: 'rows/s',
      target: { of: 'ours', bound: 'at least', value: 10_000 },
    },
  ],
  async run(bench) {
    const { stage, status } = await bench.large()
    const { key } = stage.accounts[0]!
    const { job, seconds } = await runJob(stage.api, key, '/v1/search', {
      filters: { status, bbox: COUNTRY },
      extractionMethod: 'PAGINATION_WITH_ZOOM_IN',
      maxItems: ROWS,
    })
    if (job.result_count !== ROWS) throw new Error(`the job has ${job.result_count} rows, not ${ROWS}`)
    await stage.restart()
    const order = { origin: stage.api.origin, key, jobId: job.id, limit: PAGE }
    const read = (offsets: readonly number[]) =>
      runChild<ReadReport>(READER, { input: { ...order, offsets } satisfies ReadOrder })

    await read([0, LAST])
    const offsets = Array.from({ length: ROWS / PAGE }, (_, page) => page * PAGE)
    const {
      samples: rate,
      before,
      peaks,
    } = await watchingRss(stage.api.pid, bench.rounds, async () => {
      const report = await read(offsets)
      if (report.rows !== ROWS) throw new Error(`${report.rows} rows were read, not ${ROWS}`)
      return report.rows / report.seconds
    })
    const [first, last]: [number[], number[]] = [[], []]
    for (let round = 0; round < bench.rounds; round++) {
      const { pageMs } = await read(Array.from({ length: PAIRS }, () => [0, LAST]).flat())
      first.push(median(pageMs.filter((_, at) => at % 2 === 0)))
      last.push(median(pageMs.filter((_, at) => at % 2 === 1)))
    }
    return [
      { ours: rate },
      before === undefined
        ? 'this system has no /proc/<pid>/status that can be read'
        : {
            ours: [Math.max(...peaks) - before],
            note: `${Math.round(before)} MB after a start and two pages; peaks of the readings: ${peaks.map((peak) => Math.round(peak)).join(', ')} MB`,
          },
      { ours: last, baseline: first, note: 'baseline: the page at offset 0' },
      { ours: [ROWS / seconds], note: 'once; a search with PAGINATION_WITH_ZOOM_IN over the whole country' },
    ]
  },
}

/** Runs the work round after round, and watches how large the process becomes in each, in MB. */
async function watchingRss(pid: number, rounds: number, work: () => Promise<number>) {
  const before = await findRss(pid)
  const samples: number[] = []
  const peaks: number[] = []
  for (let round = 0; round < rounds; round++) {
    let peak = 0
    let done = false
    async function watch(): Promise<void> {
      while (!done) {
        peak = Math.max(peak, (await findRss(pid)) ?? 0)
        await sleep(20)
      }
    }
    const watching = watch()
    try {
      samples.push(await work())
    } finally {
      done = true
      await watching
    }
    peaks.push(peak / MB)
  }
  return { samples, before: before === undefined ? undefined : before / MB, peaks }
}
