// CPU that processes have used, as Linux accounts for it. On a machine that does other work too, it says more than rates do.

import { readFile } from 'node:fs/promises'
import { findFamily } from './memory.ts'

/** The unit of CPU times in /proc/<pid>/stat, on every Linux that Node supports. */
const TICKS_PER_SECOND = 100

/** A part of what is measured: a process with its children. */
export interface CpuPart {
  readonly name: string
  readonly pid: number
}

/** CPU of each part for each call, in microseconds. */
export type CpuPerCall = Readonly<Record<string, number>>

/** Seconds of a process and its children, and of those children that have ended. */
export async function findCpuSeconds(pid: number): Promise<number> {
  let ticks = 0
  for (const one of await findFamily(pid)) {
    const stat = await readFile(`/proc/${one}/stat`, 'utf8').catch(() => '')
    // Behind the name: utime, stime, cutime, cstime are the fields 14 to 17, counted from 1.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    for (const field of fields.slice(11, 15)) ticks += Number(field)
  }
  return ticks / TICKS_PER_SECOND
}

/** Measures the CPU time of the processes while `work` runs. `calls` is the number of calls that the work makes. */
export async function measureCpu<T>(
  parts: readonly CpuPart[],
  work: () => Promise<T>,
  calls: (done: T) => number,
): Promise<{ readonly done: T; readonly perCall: CpuPerCall }> {
  const before = await Promise.all(parts.map(({ pid }) => findCpuSeconds(pid)))
  const done = await work()
  const perCall: Record<string, number> = {}
  for (const [at, { name, pid }] of parts.entries()) {
    const used = ((await findCpuSeconds(pid)) - before[at]!) * 1e6
    perCall[name] = (perCall[name] ?? 0) + used / calls(done)
  }
  return { done, perCall }
}

export function sumOf(perCall: CpuPerCall): number {
  return Object.values(perCall).reduce((sum, micros) => sum + micros, 0)
}

/** `API 83, PostgreSQL 21 µs`: the medians of the rounds. */
export function cpuText(rounds: readonly CpuPerCall[]): string {
  const names = Object.keys(rounds[0] ?? {})
  const middle = (name: string) => {
    const sorted = rounds.map((round) => round[name]!).sort((one, other) => one - other)
    return Math.round(sorted[Math.floor(sorted.length / 2)]!)
  }
  return `${names.map((name) => `${name} ${middle(name)}`).join(', ')} µs of CPU a call`
}
