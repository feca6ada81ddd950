// A full disk: every command ends with a text of its own, and /readyz and the answers say what is wrong. On a small disk in memory.

import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startEmbeddedPostgres } from '../../../src/infrastructure/database/embedded/embedded-postgres.ts'
import { jsonOf, lotlineProcess } from '../../interfaces/cli/run-lotline.ts'
import { mountSmallDisk } from '../../setup/small-disk.ts'
import { startServer } from './server-process.ts'

const ENV = { SAMPLE_DATA: 'off', LOG_LEVEL: 'warn' }

it('a server over a full disk is not ready and says so to callers, and it recovers when space is free', {
  timeout: 120_000,
}, async (context) => {
  const disk = await mountSmallDisk(context, 200)
  const env = { ...ENV, DATA_DIR: join(disk.directory, 'data') }
  const { key } = await jsonOf(lotlineProcess(env), 'accounts', 'create', '--plan', 'monthly')
  const server = await startServer(env)
  const ready = async () => {
    const response = await fetch(`${server.url}/readyz`)
    return [response.status, await response.text()]
  }
  const lookUp = () => fetch(`${server.url}/v1/properties/5`, { headers: { authorization: `Bearer ${key}` } })
  expect(await ready()).toEqual([200, '{"status":"ready"}'])

  await disk.fill(0)
  expect(await ready()).toEqual([503, '{"status":"disk full"}'])
  const refused = await lookUp()
  expect(refused.status).toBe(503)
  expect((await refused.json()) as object).toMatchObject({
    error: {
      code: 'service_unavailable',
      message: expect.stringContaining('The disk of the service is full'),
    },
  })
  const beside = await lotlineProcess(env)(
    'listings',
    'import',
    join(import.meta.dirname, 'no-such-file.ndjson'),
  )
  expect(beside.code).toBe(1)

  await disk.empty()
  await expect.poll(ready, { timeout: 60_000 }).toEqual([200, '{"status":"ready"}'])
  expect((await lookUp()).status).toBe(404)
})

it('a command without a server ends on a full disk and names the reason', {
  timeout: 120_000,
}, async (context) => {
  const disk = await mountSmallDisk(context, 200)
  const lotline = lotlineProcess({ ...ENV, DATA_DIR: join(disk.directory, 'data') })
  await jsonOf(lotline, 'accounts', 'create', '--plan', 'monthly')
  for (const free of [256 * 1024, 32 * 1024, 0]) {
    await disk.fill(free)
    const ran = await lotline('accounts', 'create', '--plan', 'monthly')
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('the disk is full')])
    await disk.empty()
  }
  expect(await jsonOf(lotline, 'accounts', 'list')).toHaveLength(1)
})

it('a command whose disk becomes full while it runs PostgreSQL still stops it and ends', {
  timeout: 120_000,
}, async (context) => {
  const disk = await mountSmallDisk(context, 200)
  const log = { debug() {}, info() {}, warn() {} }
  const options = { dataDir: join(disk.directory, 'data'), as: 'command', log } as const
  const first = await startEmbeddedPostgres(options)
  expect(first.part()).toBe('owner')
  await disk.fill(0)
  await first.stop()
  await disk.empty()
  // Its locks are free and its PostgreSQL is gone.
  const second = await startEmbeddedPostgres(options)
  expect(second.part()).toBe('owner')
  await second.stop()
})
