// What the rows share: how long to measure, where temporary files lie, and the two servers that most rows need. Each is
// started by the first row that wants it and stopped with the bench.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillLarge, type Large } from './large.ts'
import { stopAllChildren } from './processes/child.ts'
import { type Stage, startStage } from './stage.ts'

export interface Bench {
  /** How long a side is measured in a round. */
  readonly seconds: number
  readonly rounds: number
  /** A temporary directory that is removed at the end. */
  readonly directory: string
  /** A server with the sample. */
  sample(): Promise<Stage>
  /** A server without listings. A benchmark that adds listings removes them again. */
  empty(): Promise<Stage>
  /** A server with 180,000 listings. */
  large(): Promise<Large>
  /** Given back at the end, the last one first, unless `end` has run before. */
  atEnd(end: () => Promise<void>): void
  /** PostgreSQL's version, as soon as one was started. */
  postgres: string | null
}

export interface BenchOptions {
  readonly seconds: number
  readonly rounds: number
}

export async function withBench<T>(options: BenchOptions, work: (bench: Bench) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'lotline-bench-'))
  const breakOff = async () => {
    await stopAllChildren()
    await rm(directory, { recursive: true, force: true })
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, breakOff)
  const ends: (() => Promise<void>)[] = []
  let sample: Promise<Stage> | undefined
  let empty: Promise<Stage> | undefined
  let large: Promise<Large> | undefined
  async function open(name: string, env: Record<string, string>): Promise<Stage> {
    const stage = await startStage(join(directory, name), env)
    ends.push(stage.close)
    bench.postgres ??= stage.postgres
    return stage
  }
  const bench: Bench = {
    ...options,
    directory,
    sample: () => (sample ??= open('sample', { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'on' })),
    empty: () => (empty ??= open('empty', { SAMPLE_DATA: 'off' })),
    large: () =>
      (large ??= open('large', { SAMPLE_DATA: 'off' }).then((stage) => fillLarge(stage, directory))),
    atEnd: (end) => void ends.push(end),
    postgres: null,
  }
  try {
    return await work(bench)
  } finally {
    for (const end of ends.reverse()) await end().catch((error) => console.error(error))
    await rm(directory, { recursive: true, force: true })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, breakOff)
  }
}

/** Runs both sides once a round, in turns, so that whatever else the machine does hits both. */
export async function inTurns(
  rounds: number,
  ours: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<{ ours: number[]; baseline: number[] }> {
  const samples = { ours: [] as number[], baseline: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const sides = [
      async () => samples.ours.push(await ours()),
      async () => samples.baseline.push(await baseline()),
    ]
    for (const side of round % 2 === 0 ? sides : sides.reverse()) await side()
  }
  return samples
}
