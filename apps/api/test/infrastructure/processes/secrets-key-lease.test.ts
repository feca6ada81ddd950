// Processes over one database start only with a common SECRETS_KEY.

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { identifyThisProcess } from '../../../src/infrastructure/processes/process-identity.ts'
import {
  joinSecretsKeyHolders,
  type SecretsKeyLease,
  type SecretsKeyLeaseOptions,
} from '../../../src/infrastructure/processes/secrets-key-lease.ts'
import { spawnServer, wordsOf } from '../../process/start/server-process.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { log, until } from './members.ts'

const testDatabase = withTestDatabase()
const REFUSAL = /^Another Lotline \(process \d+ on .*\) runs over this database with another SECRETS_KEY/

async function join(
  keyIds: readonly string[],
  options: Partial<SecretsKeyLeaseOptions> = {},
): Promise<SecretsKeyLease> {
  const { database } = testDatabase
  const lease = await joinSecretsKeyHolders({
    database,
    log,
    waitTimeoutMs: 300,
    keyIds: () => keyIds,
    ...options,
  })
  onTestFinished(() => lease.leave())
  return lease
}

describe('SECRETS_KEY of a process that starts beside another one', () => {
  it('must be the same', async () => {
    await join(['a'])
    await join(['a'])
    await expect(join(['b'])).rejects.toThrow(REFUSAL)
    await expect(join([])).rejects.toThrow(REFUSAL)
  })

  it('must include the key that the other one encrypts with, and the other way round', async () => {
    await join(['old', 'new'])
    await expect(join(['new'])).rejects.toThrow(REFUSAL)
    await expect(join(['other', 'old'])).rejects.toThrow(REFUSAL)
    await join(['new', 'old'])
  })

  it('must be set if neither has a key yet, since each would make its own', async () => {
    await join([])
    await expect(join([])).rejects.toThrow(REFUSAL)
    await expect(join(['a'])).rejects.toThrow(REFUSAL)
  })

  it('can be another one as soon as the other process has stopped', async () => {
    const first = await join(['a'])
    const second = join(['b'], { waitTimeoutMs: 60_000 })
    await sleep(50)
    await first.leave()
    await second
  })

  it('can be another one immediately if the other process was killed on this machine', async () => {
    const { database } = testDatabase
    const dead = { ...identifyThisProcess(), began: '1' }
    await database.query(
      "insert into secrets_key_holders values (gen_random_uuid(), 'a', '{a}', $1, now() + interval '1 hour')",
      [JSON.stringify(dead)],
    )
    await join(['b'])
  })

  it('may be one that the other process has made since it started', async () => {
    const keys: string[] = []
    await join([], { keyIds: () => keys, leaseMs: 500 })
    keys.push('a')
    await until(() =>
      join(['a']).then(
        () => true,
        () => false,
      ),
    )
  })
})

describe('SECRETS_KEY can be replaced without downtime', () => {
  it('in the three steps of the guide', async () => {
    let running = [await join(['old']), await join(['old'])]
    for (const keys of [['old', 'new'], ['new', 'old'], ['new']]) {
      const next: SecretsKeyLease[] = []
      for (const process of running) {
        await process.leave()
        next.push(await join(keys))
      }
      running = next
    }
  })
})

describe('a server', () => {
  const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')

  it.each([
    ['ROLE=api', { ROLE: 'api' }],
    ['ROLE=worker', { ROLE: 'worker' }],
    ['VALKEY_URL', { VALKEY_URL: 'redis://127.0.0.1:1' }],
  ])('with %s and without SECRETS_KEY does not start', async (name, env) => {
    const server = spawnServer({ DATABASE_URL: testDatabase.url, SAMPLE_DATA: 'off', ...env })
    expect(await server.exited).toEqual({ code: 1, signal: null })
    expect(wordsOf(server)).toEqual([expect.stringMatching(`SECRETS_KEY is not set, but ${name} means`)])
  })

  it('with a SECRETS_KEY that differs from that of a running server does not start in any role', async () => {
    const env = { DATABASE_URL: testDatabase.url, SAMPLE_DATA: 'off' }
    const worker = spawnServer({ ...env, ROLE: 'worker', SECRETS_KEY: key(1) })
    await worker.line(/works on jobs/)
    const others = [
      spawnServer({ ...env, ROLE: 'worker', SECRETS_KEY: key(2) }),
      spawnServer({ ...env, SECRETS_KEY: key(3) }),
    ]
    for (const other of others) {
      expect(await other.exited).toEqual({ code: 1, signal: null })
      expect(wordsOf(other).at(-1)).toMatch(/^lotline: Another Lotline \(process \d+ on .*SECRETS_KEY/)
    }
    const fitting = spawnServer({ ...env, ROLE: 'worker', SECRETS_KEY: `${key(1)},${key(2)}` })
    await fitting.line(/works on jobs/)
  })
})
