// A service with a real SMTP server, watches with subscribers, and the times of digests in the hands of the test.

import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { importListings } from '../../../../src/data/ingest/import-listings.ts'
import { rowsOf } from '../../../data/sources/dataset/rows.ts'
import { freePort } from '../../../money/oauth/oauth-client.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../../../setup/mail-server.ts'
import { until } from '../../../setup/receiver.ts'
import type { TestDatabase } from '../../../setup/test-database.ts'
import { startTestServer, type TestServer } from '../../../setup/test-server.ts'

export const FILTERS = { bbox: { west: -123, south: 47, east: -122, north: 48 } }

export interface SubscriberService {
  readonly mail: MailServer
  readonly server: TestServer
}

/** Settings with which a service sends mail to the server. */
export function mailEnv(mail: MailServer, port: number): Readonly<Record<string, string>> {
  return {
    SMTP_URL: mail.url,
    MAIL_FROM: 'Lotline <no-reply@example.com>',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  }
}

export function subscriberTools(testDatabase: TestDatabase) {
  const lines: string[] = []
  let mail: MailServer
  let server: TestServer & { close(): Promise<void> }
  beforeAll(async () => {
    mail = await startMailServer()
    const port = await freePort()
    const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
    server = await startTestServer(testDatabase, { port, env: mailEnv(mail, port), log })
  })
  afterAll(async () => {
    await server.close()
    await mail.close()
  })
  const db = () => testDatabase.database

  async function importHomes(records: readonly object[]): Promise<void> {
    await importListings(db(), rowsOf(records as never[]), { source: 'mls' })
  }

  /** Runs what a process of the service runs, until it is so. */
  async function run(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const running = server.app.watches.start()
    try {
      await until(isSo, what)
    } finally {
      await running.stop()
    }
  }

  /** Creates a watch with a subscriber, and returns the mail that asks for the confirmation. */
  async function subscribe(key: string, email: string, more: object = {}) {
    const { json } = await server.post(
      '/v1/watches',
      { name: 'Seattle', filters: FILTERS, subscriber: { email }, ...more },
      { key },
    )
    const id: string = json.data.id
    const before = mailsTo(email).length
    await run(() => mailsTo(email).length > before, 'the mail that asks for a confirmation')
    return { id, asked: mailsTo(email).at(-1)! }
  }

  async function subscribeAndConfirm(key: string, email: string, more: object = {}): Promise<string> {
    const { id, asked } = await subscribe(key, email, more)
    await fetch(server.url + confirmPathIn(asked), { method: 'POST' })
    return id
  }

  function mailsTo(email: string): readonly ReceivedMail[] {
    return mail.mails.filter(({ to }) => to.includes(email))
  }

  /** Evaluates the changes, so that the watch has this many events. */
  async function evaluateTo(id: string, lastSeq: number): Promise<void> {
    await run(async () => {
      const { rows } = await db().query<{ last_seq: number }>('select last_seq from watches where id = $1', [
        id,
      ])
      return rows[0]!.last_seq >= lastSeq
    }, `${lastSeq} events`)
  }

  /** Makes the next digests due, of this watch or of all, and open digests too. */
  async function makeDigestsDue(id: string | null = null): Promise<void> {
    await db().query(
      'update watch_subscribers set digest_at = now() where digest_at is not null and ($1::uuid is null or watch_id = $1)',
      [id],
    )
    await db().query('update watch_digests set due_at = now() where due_at is not null')
  }

  /** The digests of a watch are over: none is due, and none is open. */
  async function areDigestsOver(id: string): Promise<boolean> {
    const { rows } = await db().query(
      `select from watch_subscribers where watch_id = $1 and digest_at <= now()
       union all select from watch_digests where watch_id = $1 and due_at <= now()`,
      [id],
    )
    return rows.length === 0
  }

  /** Sends the digests of a watch. Returns the digests that its person has got so far. */
  async function sendDigests(id: string, email: string): Promise<readonly ReceivedMail[]> {
    await startNewPeriod(id)
    await makeDigestsDue(id)
    await run(() => areDigestsOver(id), 'the digests')
    return mailsTo(email).filter(({ headers }) => /^List-Unsubscribe:/im.test(headers))
  }

  /** Moves the digests that are over to earlier days, as if a day had passed. */
  async function startNewPeriod(id: string): Promise<void> {
    await db().query(
      'update watch_digests set period = period - 1000 where watch_id = $1 and outcome is not null',
      [id],
    )
  }

  return {
    db,
    /** The log of the service. */
    lines,
    get mail() {
      return mail
    },
    get server() {
      return server
    },
    importHomes,
    run,
    subscribe,
    subscribeAndConfirm,
    mailsTo,
    evaluateTo,
    areDigestsOver,
    makeDigestsDue,
    sendDigests,
  }
}

export function confirmPathIn({ text }: ReceivedMail): string {
  return /\/subscriptions\/confirm\/[\w-]{43}(?![\w-])/.exec(text)![0]
}

/** The path of the header that mailbox providers read. */
export function unsubscribePathIn({ headers }: ReceivedMail): string {
  const unfolded = headers.replace(/\r\n[ \t]+/g, '')
  return /^List-Unsubscribe: <https?:\/\/[^/>]+(\/subscriptions\/unsubscribe\/[\w.-]+)>\r?$/im.exec(
    unfolded,
  )![1]!
}
