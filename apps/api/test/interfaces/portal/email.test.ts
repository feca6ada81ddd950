// Sign-in by email over HTTP, with a real SMTP server: the mails sent, the information that responses reveal, and the limits for attackers.

import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/infrastructure/config/config.ts'
import { createMailer } from '../../../src/infrastructure/mail/mailer.ts'
import { SILENT_OBSERVER } from '../../../src/infrastructure/platform/observer.ts'
import { ADDRESS_LIMIT, createVisitorLimits } from '../../../src/money/accounts/failed-keys.ts'
import { MAILS_FROM_SOURCE, MAILS_TO_MAILBOX } from '../../../src/money/accounts/mail-budget.ts'
import { freePort } from '../../money/oauth/oauth-client.ts'
import { linkIn, linksIn, MAIL_PASSWORD, type MailServer, startMailServer } from '../../setup/mail-server.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, type TestServer } from '../../setup/test-server.ts'
import { createVisitor, type PageVisit } from './visitor.ts'

const testDatabase = withTestDatabase()
const db = () => testDatabase.database
let mail: MailServer
let server: TestServer & { close(): Promise<void> }
let lines: Record<string, unknown>[] = []

beforeAll(async () => {
  mail = await startMailServer()
  const port = await freePort()
  server = await startTestServer(testDatabase, {
    port,
    env: {
      SMTP_URL: mail.url,
      MAIL_FROM: 'Lotline <no-reply@example.com>',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      TRUSTED_PROXIES: '127.0.0.1',
    },
  })
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

let visitors = 0
/** From a source address of its own. */
function ask(email: string, from = `10.0.${visitors++ >> 8}.${visitors & 255}`): Promise<PageVisit> {
  return createVisitor(server, undefined, { 'x-forwarded-for': from }).post('/portal/email', { email })
}

const linksOf = async (accountId: string) =>
  (await db().query("select from one_time_links where facts->>'accountId' = $1", [accountId])).rowCount

describe('a visitor who requests a sign-in link', () => {
  it('gets it by mail, and signs in once: opening the link does not use it up, and no other browser can use it later', async () => {
    const { accountId } = await server.openAccount({ email: 'Ana.Lee@example.com' })
    const { status, text } = await ask('ana.lee@EXAMPLE.com')
    expect({ status, says: text.includes('Check your mail') }).toEqual({ status: 200, says: true })
    const [sent] = await mail.untilMailsTo('Ana.Lee@example.com')
    expect(sent).toMatchObject({ from: 'no-reply@example.com', to: ['Ana.Lee@example.com'] })
    expect(sent!.headers).toMatch(/^From: Lotline <no-reply@example.com>\r?$/m)
    expect(sent!.headers).toMatch(/^Auto-Submitted: auto-generated\r?$/m)
    expect(sent!.text).toContain(`${server.url}/portal/link/`)
    const path = linkIn(sent!)

    const visitor = createVisitor(server)
    for (let scan = 0; scan < 3; scan++) expect((await visitor.get(path)).status).toBe(200)
    const used = await visitor.post(path)
    expect({ status: used.status, to: used.to }).toEqual({ status: 303, to: '/portal' })
    expect((await visitor.get('/portal')).text).toContain(accountId)
    const other = createVisitor(server)
    const second = await other.post(path)
    expect([second.status, other.cookie]).toEqual([410, ''])
    expect(second.text).toContain('Get another one')
  })

  it('gets the same response whether or not an account has the address, and an address without one gets no mail', async () => {
    await server.openAccount({ email: 'known@example.com' })
    const before = mail.mails.length
    const unknown = await ask('nobody@example.com')
    const known = await ask('known@example.com')
    await mail.untilMailsTo('known@example.com')
    await server.app.mailer!.drained()
    const seen = ({ status, headers, text }: PageVisit, address: string) => ({
      status,
      headers: [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name)),
      text: text.replaceAll(address, 'ADDRESS'),
    })
    expect(seen(unknown, 'nobody@example.com')).toEqual(seen(known, 'known@example.com'))
    expect(mail.mails.length - before).toBe(1)
  })

  it('causes the same work before the response: the account is looked up afterwards', async () => {
    const statements: string[] = []
    const watched = await startTestServer(
      {
        database: {
          ...db(),
          query: ((text: string, ...more: never[]) => {
            statements.push(text.trim().split(/\W+\d/, 1)[0]!)
            return db().query(text, ...more)
          }) as never,
        },
      },
      { env: { SMTP_URL: mail.url, MAIL_FROM: 'a@example.com', PUBLIC_URL: server.url } },
    )
    try {
      await server.openAccount({ email: 'watched@example.com' })
      const before = async (email: string) => {
        statements.length = 0
        await createVisitor(watched).post('/portal/email', { email }, { origin: server.url })
        return statements.slice(0, 1)
      }
      expect(await before('watched@example.com')).toEqual(['select * from take_budgets'])
      await mail.untilMailsTo('watched@example.com')
      expect(await before('unwatched@example.com')).toEqual(['select * from take_budgets'])
    } finally {
      await watched.close()
    }
  })

  it('with several accounts gets a link for each, in one mail', async () => {
    const accounts = [1, 2, 3].map(() => server.openAccount({ email: 'many@example.com' }))
    const ids = (await Promise.all(accounts)).map(({ accountId }) => accountId)
    await ask('many@example.com')
    const [sent] = await mail.untilMailsTo('many@example.com')
    const links = linksIn(sent!.text)
    expect(links).toHaveLength(3)
    const opened = new Set<string>()
    for (const link of links) {
      const visitor = createVisitor(server)
      expect((await visitor.post(link)).status).toBe(303)
      const { text } = await visitor.get('/portal')
      opened.add(ids.find((id) => text.includes(id))!)
    }
    expect([...opened].sort()).toEqual(ids.sort())
  })

  it('with another spelling of the mailbox gets the mail at the address of the account, not at the typed one', async () => {
    await server.openAccount({ email: 'ana.maria@gmail.com' })
    await ask('anamaria+x@googlemail.com')
    const [sent] = await mail.untilMailsTo('ana.maria@gmail.com')
    expect(sent!.to).toEqual(['ana.maria@gmail.com'])
  })
})

describe('a mailed sign-in link', () => {
  it('is refused if it has expired, is forged, or was cut', async () => {
    const { accountId } = await server.openAccount({ email: 'late@example.com' })
    await ask('late@example.com')
    const path = linkIn((await mail.untilMailsTo('late@example.com'))[0]!)
    await db().query("update one_time_links set expires_at = now() where facts->>'accountId' = $1", [
      accountId,
    ])
    for (const wrong of [path, `/portal/link/${'x'.repeat(43)}`, path.slice(0, -1), `${path}x`]) {
      const visitor = createVisitor(server)
      expect([(await visitor.post(wrong)).status, visitor.cookie], wrong).toEqual([410, ''])
    }
  })

  it('is stored as a hash, and no log line contains it, an address, or the password of the mail server', async () => {
    const { accountId } = await server.openAccount({ email: 'quiet@example.com' })
    await ask('quiet@example.com')
    const token = linkIn((await mail.untilMailsTo('quiet@example.com'))[0]!)
      .split('/')
      .at(-1)!
    const { rows } = await db().query<{ stored: string }>(
      `select l::text as stored from one_time_links l where facts->>'accountId' = $1`,
      [accountId],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]!.stored).not.toContain(Buffer.from(token).toString('hex'))
    expect(rows[0]!.stored).not.toContain(token)
  })

  it('lets a session create keys', async () => {
    const { accountId } = await server.openAccount({ email: 'keys@example.com' })
    await ask('keys@example.com')
    const visitor = createVisitor(server)
    await visitor.post(linkIn((await mail.untilMailsTo('keys@example.com'))[0]!))
    const made = await visitor.post('/portal/keys', { name: 'Report' })
    const key = /value="(lot_\w+)"/.exec(made.text)![1]!
    expect((await server.get('/v1/me', { key })).json.data.id).toBe(accountId)
  })
})

describe('an attacker', () => {
  it.each([
    'a@example.com\r\nBcc: victim@example.com',
    'a@example.com\nRCPT TO:<victim@example.com>',
    'a@example.com,victim@example.com',
    'a@example.com;victim@example.com',
    'Ana <victim@example.com>',
    '"a\r\n"@example.com',
    '',
    'x'.repeat(300),
  ])('cannot add headers or recipients: %j', async (email) => {
    const before = mail.connections
    const { status, text } = await ask(email)
    expect(status).toBe(400)
    expect(text).toContain('not an email address')
    expect(mail.connections).toBe(before)
  })

  it('cannot send U+0000', async () => {
    const before = mail.connections
    const { status, text } = await ask('a@example.com\0')
    expect([status, text]).toEqual([400, expect.stringContaining('U+0000')])
    expect(mail.connections).toBe(before)
  })

  it('cannot cause a mail from a page of another site', async () => {
    await server.openAccount({ email: 'csrf@example.com' })
    for (const origin of ['https://evil.example', 'null', undefined]) {
      const visitor = createVisitor(server)
      const { status } = await visitor.post('/portal/email', { email: 'csrf@example.com' }, { origin })
      expect(status).toBe(403)
    }
    await server.app.mailer!.drained()
    expect(mail.mails.filter(({ to }) => to.includes('csrf@example.com'))).toEqual([])
  })

  it('cannot flood a mailbox: all its spellings together get 5 mails an hour, from any number of sources', async () => {
    await server.openAccount({ email: 'victim@gmail.com' })
    const statuses: number[] = []
    for (let at = 0; at < MAILS_TO_MAILBOX.perHour + 2; at++)
      statuses.push((await ask(`v.ictim+${at}@googlemail.com`)).status)
    expect(statuses).toEqual([...Array(MAILS_TO_MAILBOX.perHour).fill(200), 429, 429])
    const late = await ask('victim@gmail.com')
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(Number(late.headers.get('retry-after'))).toBeLessThanOrEqual(3600)
    expect(late.text).toContain('Too many messages were requested')
    await mail.untilMailsTo('victim@gmail.com', MAILS_TO_MAILBOX.perHour)
    // Another mailbox is not concerned, and the hour ends.
    expect((await ask('other@gmail.com')).status).toBe(200)
    await db().query(`update budgets set ends_at = ends_at - interval '1 hour' where seconds = 3600`)
    expect((await ask('victim@gmail.com')).status).toBe(200)
    await db().query(`update budgets set taken = case seconds when 3600 then 0 else 20 end`)
    expect(Number((await ask('victim@gmail.com')).headers.get('retry-after'))).toBeGreaterThan(80_000)
  })

  it('cannot request more than 20 mails an hour from one source, concurrently or not, over all processes', async () => {
    const beside = await startTestServer(testDatabase, {
      env: {
        SMTP_URL: mail.url,
        MAIL_FROM: 'a@example.com',
        PUBLIC_URL: server.url,
        TRUSTED_PROXIES: '127.0.0.1',
      },
    })
    try {
      const asked = await Promise.all(
        Array.from({ length: 30 }, (_, at) =>
          createVisitor(at % 2 ? beside : server, undefined, { 'x-forwarded-for': '10.9.9.9' }).post(
            '/portal/email',
            { email: `a${at}@example.com` },
            { origin: server.url },
          ),
        ),
      )
      const statuses = asked.map(({ status }) => status).sort()
      expect(statuses).toEqual([
        ...Array(MAILS_FROM_SOURCE.perHour).fill(200),
        ...Array(30 - MAILS_FROM_SOURCE.perHour).fill(429),
      ])
    } finally {
      await beside.close()
    }
  })
})

it('an address that continues above its limits is refused without a query', async () => {
  let taken = 0
  const counted = {
    ...db(),
    query: ((text: string, ...more: never[]) => {
      if (text.includes('take_budgets')) taken++
      return db().query(text, ...more)
    }) as never,
  }
  const guarded = await startTestServer(
    { database: counted },
    {
      env: {
        SMTP_URL: mail.url,
        MAIL_FROM: 'a@example.com',
        PUBLIC_URL: server.url,
        TRUSTED_PROXIES: '127.0.0.1',
      },
      parts: { visitorLimits: createVisitorLimits(() => 0) },
    },
  )
  try {
    const visitor = createVisitor(guarded, undefined, { 'x-forwarded-for': '10.77.0.1' })
    const send = (at: number) =>
      visitor.post('/portal/email', { email: `flood${at}@example.com` }, { origin: server.url })
    const { perHour } = MAILS_FROM_SOURCE
    for (let at = 0; at < perHour + ADDRESS_LIMIT.burst; at++)
      expect((await send(at)).status).toBe(at < perHour ? 200 : 429)
    expect(taken).toBe(perHour + ADDRESS_LIMIT.burst)
    const { status, text } = await send(1_000)
    expect([status, taken]).toEqual([429, perHour + ADDRESS_LIMIT.burst])
    expect(text).toContain('Too many failed attempts')
  } finally {
    await guarded.close()
  }
})

describe('if mail cannot be sent', () => {
  const failing = async (smtpUrl: string) => {
    lines = []
    const log = pino({ level: 'trace' }, { write: (line) => lines.push(JSON.parse(line)) })
    const config = readConfig({ SMTP_URL: smtpUrl, MAIL_FROM: 'a@example.com', PUBLIC_URL: server.url })
    const outcomes: string[] = []
    const observer = {
      ...SILENT_OBSERVER,
      mail: (kind: string, outcome: string) => outcomes.push(`${kind} ${outcome}`),
    }
    const mailer = createMailer(config.mail!, { log, observer, waits: { ready: 200, send: 200 } })
    const started = await startTestServer(testDatabase, {
      env: { SMTP_URL: smtpUrl, MAIL_FROM: 'a@example.com', PUBLIC_URL: server.url },
      parts: { mailer },
    })
    return { ...started, mailer, outcomes }
  }

  it.each(['is silent', 'refuses sign-in', 'is down'] as const)(
    'because the server %s, every visitor sees the same error, nothing is created, and nothing counts against limits',
    async (mode) => {
      const other = await startMailServer()
      if (mode !== 'is down') other.mode = mode
      else await other.close()
      const broken = await failing(other.url)
      try {
        const { accountId } = await server.openAccount({ email: `${mode.replaceAll(' ', '-')}@example.com` })
        for (const email of [`${mode.replaceAll(' ', '-')}@example.com`, 'nobody2@example.com']) {
          const asked = await createVisitor(broken).post('/portal/email', { email }, { origin: server.url })
          expect(asked.status).toBe(503)
          expect(asked.text).toContain('cannot send mail at the moment')
        }
        expect(await linksOf(accountId)).toBe(0)
        expect(broken.outcomes).toEqual(['check failed'])
        expect(lines.filter(({ msg }) => msg === 'a mail was not sent')).toHaveLength(1)
        expect(JSON.stringify(lines)).not.toMatch(/example\.com|pass.word/)
      } finally {
        await broken.close()
        if (mode !== 'is down') await other.close()
      }
    },
  )

  it('because the server refuses the address, the link is withdrawn, and the log contains neither', async () => {
    const other = await startMailServer()
    other.mode = 'refuses recipients'
    const broken = await failing(other.url)
    try {
      const { accountId } = await server.openAccount({ email: 'refused@example.com' })
      const email = 'refused@example.com'
      const asked = await createVisitor(broken).post('/portal/email', { email }, { origin: server.url })
      expect(asked.status).toBe(200)
      await expect.poll(() => broken.outcomes).toEqual(['sign_in failed'])
      await expect.poll(() => linksOf(accountId)).toBe(0)
      expect(lines.find(({ msg }) => msg === 'a mail was not sent')).toMatchObject({ smtp: 550 })
      expect(JSON.stringify(lines)).not.toMatch(/refused@|portal\/link/)
      expect(JSON.stringify(lines)).not.toContain(MAIL_PASSWORD)
    } finally {
      await broken.close()
      await other.close()
    }
  })
})

it('mails are counted by kind and outcome', async () => {
  await server.openAccount({ email: 'counted@example.com' })
  await ask('counted@example.com')
  await mail.untilMailsTo('counted@example.com')
  await expect
    .poll(async () => (await server.get('/metrics')).text)
    .toMatch(/^lotline_mails_total\{kind="sign_in",outcome="sent"\} [1-9]\d*$/m)
  expect((await server.get('/metrics')).text).toMatch(
    /^lotline_mails_total\{kind="sign_in",outcome="limited"\} /m,
  )
})

it('without SMTP_URL there is no form and no route', async () => {
  const plain = await startTestServer(testDatabase)
  try {
    const visitor = createVisitor(plain)
    expect((await visitor.get('/portal')).text).not.toContain('email')
    await server.openAccount({ email: 'none@example.com' })
    const { status, to } = await visitor.post('/portal/email', { email: 'none@example.com' })
    expect({ status, to }).toEqual({ status: 303, to: '/portal' })
    expect((await visitor.get('/portal/sign-up')).status).toBe(303)
  } finally {
    await plain.close()
  }
})
