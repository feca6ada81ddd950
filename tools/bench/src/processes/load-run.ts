// Runs the load process and refuses figures that are not about what was to be measured.

import { runChild } from './child.ts'
import type { LoadOrder, LoadReport } from './load.ts'

const SCRIPT = new URL('./load.ts', import.meta.url)

/** @throws {Error} when an answer had another status than 200. */
export async function runLoad(order: LoadOrder): Promise<LoadReport> {
  const report = await runChild<LoadReport>(SCRIPT, { input: order })
  const others = Object.entries(report.statuses).filter(([status]) => status !== '200')
  if (others.length > 0) throw new Error(`not every answer was 200: ${JSON.stringify(report.statuses)}`)
  return report
}

export function getRequest(path: string, key: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`
}
