// Digests of real processes: two at a time, and processes that are killed with SIGKILL while they send.

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startProcess, type TestProcess } from '../../../setup/child-process.ts'
import { type MailServer, startMailServer } from '../../../setup/mail-server.ts'
import { withTestDatabase } from '../../../setup/test-database.ts'
import { homes, watchTools } from '../watch-tools.ts'
import { mailEnv } from './subscriber-tools.ts'

const MAIN = join(import.meta.dirname, '../../../../src/process/main.ts')
const KILLS = process.env.LOTLINE_FULL ? 20 : 3
const WATCHES = 40
const testDatabase = withTestDatabase()
const db = () => testDatabase.database
const { importRecords, watch, evaluate } = watchTools(db)
let mail: MailServer
const secretsKey = randomBytes(32).toString('base64')

beforeAll(async () => {
  mail = await startMailServer()
})
afterAll(() => mail.close())

const serving = (): TestProcess =>
  startProcess(MAIN, [], {
    env: {
      ...mailEnv(mail, 1),
      DATABASE_URL: testDatabase.url,
      SECRETS_KEY: secretsKey,
      SAMPLE_DATA: 'off',
      PORT: '0',
      LOG_LEVEL: 'silent',
    },
  })

/** Each of the watches has two changes, and a digest that is due. */
beforeEach(async () => {
  await importRecords(homes(1, 3))
  for (let count = 0; count < WATCHES; count++) {
    const { accountId, id } = await watch({ zpids: ['1', '2'] })
    await db().query(
      `insert into watch_subscribers (account_id, watch_id, email, mailbox_hash, frequency, status, digest_at)
       values ($1, $2, $3, '\\x00', 'daily', 'active', now())`,
      [accountId, id, `person${count}@example.com`],
    )
  }
  await importRecords(homes(1, 3, { price: 400_000 + (mail.mails.length % 7) }))
  await evaluate()
}, 60_000)

const open = async () =>
  (
    await db().query<{ count: number }>(
      `select (select count(*) from watch_subscribers where digest_at <= now()) +
         (select count(*) from watch_digests where outcome is null) as count`,
    )
  ).rows[0]!.count

/** The Message-IDs of the mails that arrived since. */
const idsSince = (before: number) =>
  mail.mails.slice(before).map(({ headers }) => /^Message-ID: (<.*?>)/im.exec(headers)![1]!)

async function expectAllSent(): Promise<void> {
  const { rows } = await db().query(
    'select outcome, count(*) as count, sum(upto_seq - after_seq)::integer as events from watch_digests group by outcome',
  )
  expect(rows).toEqual([{ outcome: 'sent', count: WATCHES, events: 2 * WATCHES }])
  const reported =
    'select from watch_subscribers s join watches w on w.id = s.watch_id where reported_seq = last_seq'
  expect((await db().query(reported)).rows).toHaveLength(WATCHES)
  await db().query('truncate watches, watch_subscribers, watch_digests, watch_homes, watch_events')
}

it('two processes send each digest once', async () => {
  const before = mail.mails.length
  serving()
  serving()
  while ((await open()) > 0) await sleep(20)
  const ids = idsSince(before)
  expect(ids).toHaveLength(WATCHES)
  expect(new Set(ids).size).toBe(WATCHES)
  await expectAllSent()
}, 120_000)

it(`${KILLS} kills lose no digest, and a copy has the Message-ID of the first one`, async () => {
  const before = mail.mails.length
  for (let kill = 1; kill <= KILLS; kill++) {
    const running = serving()
    while (mail.mails.length < before + kill * 3) await sleep(1)
    running.kill('SIGKILL')
    await running.exited
  }
  // The leases of the killed processes end.
  await db().query('update watch_digests set lease_until = now() where lease_until is not null')
  serving()
  while ((await open()) > 0) await sleep(20)
  const ids = idsSince(before)
  expect(new Set(ids).size).toBe(WATCHES)
  // A process sends at most four mails at a time.
  expect(ids.length).toBeLessThanOrEqual(WATCHES + 4 * KILLS)
  await expectAllSent()
}, 120_000)
