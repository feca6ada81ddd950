// Searches of polygons with many corners among 180,000 listings: beside a search of the box around them, what a refused one
// costs, and what lookups wait while 20 of the heaviest are under way.

import { inTurns } from '../bench.ts'
import { findHomes } from '../lookups.ts'
import type { Measurement } from '../measurement.ts'
import { findCpuSeconds } from '../processes/cpu.ts'
import { getRequest, runLoad } from '../processes/load-run.ts'

const ROWS = 50
const WARM_SECONDS = 0.5
/** Seattle. */
const CENTER = [-122.34, 47.615] as const
const REACH = [0.1, 0.125] as const
const HEAVY_CALLS = 20
const LOOKUP_CONNECTIONS = 5
const REFUSED_CALLS = 100

export const areas: Measurement = {
  name: 'areas',
  measures: [
    {
      name: 'POST /v1/search, a polygon of 1,000 corners in 180,000 listings, p50',
      unit: 'ms',
      target: { of: 'ratio', bound: 'at most', value: 2 },
    },
    {
      name: 'the same with 5,000 corners',
      unit: 'ms',
      target: { of: 'ratio', bound: 'at most', value: 4 },
    },
    {
      name: 'the same with 1,250 triangles across all of the box',
      unit: 'ms',
      target: { of: 'ratio', bound: 'at most', value: 8 },
    },
    {
      name: 'CPU of a refused polygon of 5,001 corners',
      unit: 'ms',
      target: { of: 'ours', bound: 'at most', value: 20 },
    },
    {
      name: `p99 of lookups beside ${HEAVY_CALLS} searches of 5,000 spikes at a time`,
      unit: 'ms',
      target: { of: 'ratio', bound: 'at most', value: 2 },
    },
  ],
  async run(bench) {
    const { stage, status, note } = await bench.large()
    const { api, accounts, database } = stage
    const [account] = accounts
    const times = { seconds: bench.seconds, warmSeconds: WARM_SECONDS, ports: [api.port] }
    const searchRequest = (filters: object, key = account!.key) =>
      postRequest('/v1/search', { filters: { status, ...filters }, maxItems: ROWS }, key)
    const [west, south] = [CENTER[0] - REACH[0], CENTER[1] - REACH[1]]
    const bbox = { west, south, east: CENTER[0] + REACH[0], north: CENTER[1] + REACH[1] }
    const p50Of = (filters: object) => async () =>
      (await runLoad({ ...times, connections: [[searchRequest(filters)]] })).p50Ms
    const besideBox = (corners: number) =>
      inTurns(bench.rounds, p50Of({ area: polygon(corners, 0.9) }), p50Of({ bbox }))
    const thousand = await besideBox(1_000)
    const fiveThousand = await besideBox(5_000)

    const triangles = await inTurns(bench.rounds, p50Of({ area: slivers(1_250) }), p50Of({ bbox }))

    const refuse = async () => {
      const body = JSON.stringify({ filters: { status, area: polygon(5_001, 0.9) } })
      const before = await findCpuSeconds(api.pid)
      for (let call = 0; call < REFUSED_CALLS; call++) {
        const response = await fetch(`http://127.0.0.1:${api.port}/v1/search`, {
          method: 'POST',
          headers: { authorization: `Bearer ${account!.key}`, 'content-type': 'application/json' },
          body,
        })
        await response.arrayBuffer()
        if (response.status !== 400)
          throw new Error(`a polygon above the limit returned status ${response.status} instead of 400`)
      }
      return (((await findCpuSeconds(api.pid)) - before) * 1_000) / REFUSED_CALLS
    }
    const refused: number[] = []
    for (let round = 0; round < bench.rounds; round++) refused.push(await refuse())

    const zpids = await findHomes(database, LOOKUP_CONNECTIONS)
    const lookups = zpids.map((zpid, at) => [getRequest(`/v1/properties/${zpid}`, accounts[at]!.key)])
    const heavy = accounts
      .slice(LOOKUP_CONNECTIONS, LOOKUP_CONNECTIONS + HEAVY_CALLS)
      .map(({ key }) => [searchRequest({ area: polygon(5_000, 0.2) }, key)])
    const p99 = async () => (await runLoad({ ...times, connections: lookups })).p99Ms
    const beside = await inTurns(
      bench.rounds,
      async () => {
        // The searches begin before the lookups and end after them.
        const others = runLoad({ ...times, seconds: bench.seconds + 2 * WARM_SECONDS, connections: heavy })
        const measured = await p99()
        await others
        return measured
      },
      p99,
    )
    return [
      { ...thousand, note: `baseline: a search of the box around the polygon; ${note}` },
      { ...fiveThousand, note: 'baseline: the same' },
      { ...triangles, note: 'baseline: the same' },
      { ours: refused, note: 'of the server with its database, all of the call included' },
      { ...beside, note: `baseline: the lookups alone, on ${LOOKUP_CONNECTIONS} connections` },
    ]
  },
}

/** A ring in the box, every other corner nearer to the center by the share: 0.9 is a rough circle, 0.2 a star of spikes. */
function polygon(corners: number, share: number): object {
  const ring = Array.from({ length: corners - 1 }, (_, at): [number, number] => {
    const angle = (at / (corners - 1)) * 2 * Math.PI
    const far = at % 2 === 0 ? 1 : share
    return [CENTER[0] + REACH[0] * far * Math.cos(angle), CENTER[1] + REACH[1] * far * Math.sin(angle)]
  })
  return { type: 'Polygon', coordinates: [[...ring, ring[0]!]] }
}

/** Thin triangles side by side, each from the southwest of the box to its northeast: all of their boxes have nearly all homes. */
function slivers(count: number): object {
  const [west, south] = [CENTER[0] - REACH[0], CENTER[1] - REACH[1]]
  const [east, north] = [CENTER[0] + REACH[0], CENTER[1] + REACH[1]]
  const coordinates = Array.from({ length: count }, (_, at) => {
    const shift = (at / count) * REACH[1]
    const first = [west, south + shift]
    return [
      [
        first,
        [east, north - REACH[1] + shift],
        [east, north - REACH[1] + shift + REACH[1] / count / 4],
        first,
      ],
    ]
  })
  return { type: 'MultiPolygon', coordinates }
}

function postRequest(path: string, body: object, key: string): string {
  const json = JSON.stringify(body)
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json`
  return `${head}\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`
}
