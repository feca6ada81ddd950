// Kills a server while requests create something, before or after the commit and before the response. Each client repeats its
// request with its Idempotency-Key, and the object must exist once.

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openAccount } from '../../src/money/accounts/open-account.ts'
import { startProcess } from '../setup/child-process.ts'
import { CREATIONS, type Creation, countCreated, deliverEvents, WEBHOOK } from '../setup/creations.ts'
import { withTestDatabase } from '../setup/test-database.ts'

const MAIN = join(import.meta.dirname, '../../src/process/main.ts')
const testDatabase = withTestDatabase()

async function startServer() {
  const server = startProcess(MAIN, [], {
    env: {
      DATABASE_URL: testDatabase.url,
      SAMPLE_DATA: 'off',
      PORT: '0',
      LOG_LEVEL: 'silent',
      // The server has only the API role, so nothing else changes what is created.
      ROLE: 'api',
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
  })
  const [, url] = await server.line(/serves (http:\S+)/)
  return { server, url: url! }
}

/** Blocks calls with a key while the gate is locked: when they take the key, or when they commit. */
const GATE = (when: 'immediate' | 'deferred') => `
  create table gate ();
  create function wait_at_the_gate() returns trigger language plpgsql as
    $$ begin lock table gate in access share mode; return null; end $$;
  create constraint trigger gate after insert on idempotency_keys deferrable initially ${when}
    for each row execute function wait_at_the_gate();`
const NO_GATE = `
  drop trigger if exists gate on idempotency_keys; drop function if exists wait_at_the_gate; drop table if exists gate`
const WAITING = `
  select count(*)::integer as waiting from pg_locks where relation = to_regclass('gate') and not granted`

interface RetryingClient {
  readonly accountId: string
  readonly creation: Creation
  /** undefined: there is no response yet. */
  readonly call: (url: string) => Promise<Response | undefined>
}

/** A client with its own account, which sends one request repeatedly. */
async function prepare(url: string, creation: Creation): Promise<RetryingClient> {
  const { database } = testDatabase
  const { accountId, key, keyId } = await openAccount(database, { plan: 'custom', credits: 100 })
  const post = (to: string, body: object | undefined, more: Readonly<Record<string, string>> = {}) =>
    fetch(to, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  const made = (await (await post(`${url}/v1/webhooks`, WEBHOOK)).json()) as { data: { id: string } }
  const webhook = made.data.id
  const deliveries = await deliverEvents(database, accountId, webhook)
  const path = creation.path({ webhook, keyId, deliveries })
  const once = { 'idempotency-key': randomUUID() }
  return {
    accountId,
    creation,
    call: (to) => post(to + path, creation.body, once).catch(() => undefined),
  }
}

const MOMENTS = [
  ['before they are committed', 'immediate', null],
  ['after they are committed and before they are answered', 'deferred', 'true'],
] as const

describe('requests that create something, when the server is killed', () => {
  it.each(MOMENTS)(
    '%s take effect once, even when the client repeats them after the restart',
    async (_name, when, replayed) => {
      const { database } = testDatabase
      const first = await startServer()
      const callers = await Promise.all(Object.values(CREATIONS).map((one) => prepare(first.url, one)))
      const counted = () => Promise.all(callers.map(({ accountId }) => countCreated(database, accountId)))
      const before = await counted()
      await database.query(GATE(when))
      onTestFinished(async () => void (await database.query(NO_GATE)))
      await database.transaction(async (tx) => {
        await tx.query('lock table gate in access exclusive mode')
        const calls = callers.map(({ call }) => call(first.url))
        while ((await database.query<{ waiting: number }>(WAITING)).rows[0]!.waiting < callers.length)
          await sleep(5)
        first.server.kill('SIGKILL')
        await first.server.exited
        expect(await Promise.all(calls)).toEqual(callers.map(() => undefined))
      })
      await database.query(NO_GATE)

      const second = await startServer()
      const answers = await Promise.all(callers.map(({ call }) => call(second.url)))
      expect(answers.map((answer) => [answer?.status, answer?.headers.get('idempotent-replayed')])).toEqual(
        callers.map(({ creation }) => [creation.status, replayed]),
      )
      const after = await counted()
      // Each call creates one kind of object; a webhook or a key also creates a secret.
      expect(after.map((now, at) => difference(now, before[at]!))).toEqual([
        { webhooks: 1, secrets: 1 },
        { watches: 1 },
        { keys: 1 },
        { jobs: 1 },
        { jobs: 1 },
        { keys: 1 },
        { secrets: 1 },
        { attempts: 1 },
      ])
    },
    60_000,
  )
})

function difference(
  after: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const grown = Object.entries(after).map(([name, count]) => [name, count - before[name]!] as const)
  return Object.fromEntries(grown.filter(([, more]) => more !== 0))
}
