// Runs the load process and refuses figures that are not about what was to be measured.

import { runChild } from './child.ts'
import type { LoadOrder, LoadReport } from './load.ts'

const SCRIPT = new URL('./load.ts', import.meta.url)

/** @throws {Error} when an answer had another status than 200. */
export async function runLoad(order: LoadOrder): Promise<LoadReport> {
  const report = await runChild<LoadReport>(SCRIPT, { input: order })
  const others = Object.entries(report.statuses).filter(([status]) => status !== '200')
  if (others.length > 0)
    throw new Error(`some responses did not have status 200: ${JSON.stringify(report.statuses)}`)
  return report
}

/** How many calls a run has made, those of warming up too. */
export function callsOf({ statuses }: LoadReport): number {
  return Object.values(statuses).reduce((sum, count) => sum + count, 0)
}

/** Calls of each server until its code is compiled: Node's compiler replaces parts of it for as long. */
const WARM_CALLS = 60_000
const WARM_SECONDS_AT_A_TIME = 2
const MAX_WARM_RUNS = 60

/** Calls the servers until they are as fast as they become. */
export async function warmUp(order: Pick<LoadOrder, 'ports' | 'connections'>): Promise<void> {
  const wanted = WARM_CALLS * order.ports.length
  let calls = 0
  for (let run = 0; run < MAX_WARM_RUNS && calls < wanted; run++) {
    calls += callsOf(await runLoad({ ...order, seconds: WARM_SECONDS_AT_A_TIME, warmSeconds: 0 }))
  }
}

export function getRequest(path: string, key: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`
}
