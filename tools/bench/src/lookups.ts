// Shared code of the lookup measurements: the requested homes, the requests, and the checks of responses.

import type { Database } from '@lotline/api/infrastructure/database/database.ts'
import { getRequest } from './processes/load-run.ts'
import type { BenchAccount } from './stage.ts'

/** Fields that the server's HTTP layer adds by itself, on both sides. */
const ADDED = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])
/** How far apart the answers of two sides may be in size, on average. Each side may stop at different homes. */
const SIZE_TOLERANCE = 0.02

export interface LookupAnswers {
  readonly bodies: Readonly<Record<string, string>>
  /** The headers of one response. */
  readonly headers: Readonly<Record<string, string>>
}

/** Homes of the data set, by their zpids. */
export async function findHomes(database: Database, count: number): Promise<string[]> {
  const { rows } = await database.query<{ zpid: string }>(
    'select zpid from listings where not is_building order by zpid limit $1',
    [count],
  )
  return rows.map(({ zpid }) => zpid)
}

/** A connection for each key. Every key asks for all homes, each beginning with another one. */
export function lookupConnections(accounts: readonly BenchAccount[], zpids: readonly string[]): string[][] {
  return accounts.map(({ key }, account) => {
    const at = account % zpids.length
    return [...zpids.slice(at), ...zpids.slice(0, at)].map((zpid) =>
      getRequest(`/v1/properties/${zpid}`, key),
    )
  })
}

/** @throws {Error} when an answer is not 200. */
export async function readAnswers(
  origin: string,
  zpids: readonly string[],
  key: string,
): Promise<LookupAnswers> {
  const bodies: Record<string, string> = {}
  let headers: Record<string, string> = {}
  for (const zpid of zpids) {
    const response = await fetch(`${origin}/v1/properties/${zpid}`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    if (response.status !== 200)
      throw new Error(`the lookup of ${zpid} returned status ${response.status} instead of 200`)
    bodies[zpid] = await response.text()
    headers = Object.fromEntries([...response.headers].filter(([name]) => !ADDED.has(name)))
  }
  return { bodies, headers }
}

/** @throws {Error} when two sides that are compared did not send as much. Bytes of a body, on average. */
export function refuseUnlikeSizes(ours: number, theirs: number): void {
  if (Math.abs(ours / theirs - 1) > SIZE_TOLERANCE)
    throw new Error(`the two sides sent bodies of ${ours} and ${theirs} bytes on average`)
}
