// The limit on messages to POST /mcp that are not calls.

import { describe, expect, it } from 'vitest'
import { createMessageLimit } from '../../../src/money/accounts/failed-keys.ts'
import { readMetrics } from '../../process/telemetry/metrics/read-metrics.ts'
import { exchange, head } from '../../setup/raw-http.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { postMessage } from './mcp-clients.ts'

const clock = { now: 0 }
const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { parts: { messageLimit: createMessageLimit(() => clock.now) } })

const MIB = 1024 * 1024
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const keyHeader = (key: string) => ({ authorization: `Bearer ${key}` })

async function countUsage(accountId: string): Promise<number> {
  const { rows } = await testDatabase.database.query('select 1 from usage_rows where account_id = $1', [
    accountId,
  ])
  return rows.length
}

describe('messages that are not calls', () => {
  const statusesOf = async (count: number, send: () => Promise<Response>) => {
    const statuses = await Promise.all(
      Array.from({ length: count }, async () => {
        const response = await send()
        await response.arrayBuffer()
        return response.status
      }),
    )
    return [...new Set(statuses)]
  }

  it("are limited to the plan's calls a minute, and at least 60; further ones are refused before their body is sent", async () => {
    for (const [ratePerMinute, bound] of [
      [3, 60],
      [70, 70],
    ] as const) {
      const { key, accountId } = await server.openAccount({ ratePerMinute })
      const send = (body: unknown) => postMessage(server.url, body, keyHeader(key))
      expect(await statusesOf(bound - 3, () => send(PING))).toEqual([200])
      expect(await statusesOf(1, () => send('{'))).toEqual([400])
      expect(await statusesOf(1, () => send([PING]))).toEqual([400])
      // Calls are counted by the rate window alone.
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account' } }
      for (let at = 0; at < 3; at++) expect(await statusesOf(1, () => send(call))).toEqual([200])
      expect(await statusesOf(1, () => send(PING))).toEqual([200])
      const before = await readMetrics(server.url)
      const [answer] = await exchange(server.port, [
        head('POST', '/mcp', {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...keyHeader(key),
          'content-length': String(MIB),
          connection: 'close',
        }),
      ])
      expect(answer!.status).toBe(429)
      expect(Number(answer!.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
      expect(JSON.parse(answer!.text).error.data).toMatchObject({
        code: 'rate_limited',
        details: { limit_per_minute: bound },
      })
      const after = await readMetrics(server.url)
      const counted = ({ sum }: typeof after) => sum('lotline_refusals_total', { code: 'rate_limited' })
      expect(counted(after) - counted(before)).toBe(1)
      clock.now += 60_000 / bound + 1
      expect(await statusesOf(1, () => send(PING))).toEqual([200])
      expect(await statusesOf(1, () => send(PING))).toEqual([429])
      expect(await countUsage(accountId)).toBe(3)
    }
  })

  it('include calls beyond the rate window: at first these get a result, then they are not read', async () => {
    const { key, accountId } = await server.openAccount({ ratePerMinute: 1 })
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_property', arguments: {} },
    }
    const send = () => postMessage(server.url, call, keyHeader(key))
    for (const count of [1, 60]) expect(await statusesOf(count, send)).toEqual([200])
    expect(await statusesOf(1, send)).toEqual([429])
    expect(await countUsage(accountId)).toBe(1)
  })
})
