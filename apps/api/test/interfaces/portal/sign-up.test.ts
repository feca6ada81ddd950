// Sign-up over HTTP, with a real SMTP server: valid and invalid sign-ups, and one grant of free credits for each person.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SIGN_UPS_FROM_SOURCE } from '../../../src/money/accounts/mail-budget.ts'
import { plans } from '../../../src/money/accounts/plans.ts'
import { freePort } from '../../money/oauth/oauth-client.ts'
import { linkIn, type MailServer, startMailServer } from '../../setup/mail-server.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, type TestServer } from '../../setup/test-server.ts'
import { lotlineWith } from '../cli/run-lotline.ts'
import { createVisitor, type PageVisit } from './visitor.ts'

const testDatabase = withTestDatabase()
const db = () => testDatabase.database
let mail: MailServer
let server: TestServer & { close(): Promise<void> }
let env: Record<string, string>

beforeAll(async () => {
  mail = await startMailServer()
  const port = await freePort()
  env = {
    SMTP_URL: mail.url,
    MAIL_FROM: 'no-reply@example.com',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    PORTAL: 'open',
    TRUSTED_PROXIES: '127.0.0.1',
  }
  server = await startTestServer(testDatabase, { port, env })
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

let visitors = 0
function ask(email: string, from = `10.1.${visitors++ >> 8}.${visitors & 255}`): Promise<PageVisit> {
  return createVisitor(server, undefined, { 'x-forwarded-for': from }).post('/portal/sign-up', { email })
}

/** Asks, and reads the link from the mail that comes to `to`. */
async function linkFor(email: string, to = email): Promise<string> {
  const before = mail.mails.filter((one) => one.to.includes(to)).length
  expect((await ask(email)).status).toBe(200)
  return linkIn((await mail.untilMailsTo(to, before + 1)).at(-1)!)
}

async function accountsLike(pattern: string) {
  const { rows } = await db().query<{ id: string; email: string; plan: string; grants: number }>(
    `select a.id, a.email, a.plan, (
       select coalesce(sum(amount), 0)::integer from movements where account_id = a.id and kind = 'grant') as grants
     from accounts a where a.email like $1`,
    [pattern],
  )
  return rows
}

const keyIn = ({ text }: PageVisit) => /value="(lot_\w+)"/.exec(text)?.[1]

describe('a sign-up', () => {
  it('creates the account when its link is confirmed, shows its first key once, and signs in', async () => {
    const path = await linkFor('new@example.com')
    expect(path).toMatch(/^\/portal\/sign-up\//)
    const visitor = createVisitor(server)
    for (let scan = 0; scan < 3; scan++) expect((await visitor.get(path)).status).toBe(200)
    expect(await accountsLike('new@%')).toEqual([])
    const made = await visitor.post(path)
    expect(made.status).toBe(200)
    expect(made.headers.get('cache-control')).toBe('no-store')
    const key = keyIn(made)!
    const me = await server.get('/v1/me', { key })
    expect(me.json.data).toMatchObject({ email: 'new@example.com', plan_id: 'free' })
    expect(me.json.data.credits.balance).toBe(plans.free.creditsPerCycle)
    expect((await visitor.get('/portal')).text).toContain('credits available')
    expect((await visitor.get('/portal/keys')).text).not.toContain(key)
    // A session of a fresh account creates keys.
    const further = keyIn(await visitor.post('/portal/keys', { name: 'Report' }))!
    expect((await server.get('/v1/me', { key: further })).json.data.id).toBe(me.json.data.id)
    const other = createVisitor(server)
    const second = await other.post(path)
    expect([second.status, other.cookie, keyIn(second)]).toEqual([410, '', undefined])
    expect(await accountsLike('new@%')).toHaveLength(1)
  })

  it('with an expired or forged link, or from a page of another site, creates nothing', async () => {
    const path = await linkFor('stale@example.com')
    const foreign = createVisitor(server)
    expect((await foreign.post(path, {}, { origin: 'https://evil.example' })).status).toBe(403)
    await db().query(
      `update one_time_links set expires_at = now() where facts->>'email' = 'stale@example.com'`,
    )
    for (const wrong of [path, `/portal/sign-up/${'x'.repeat(43)}`, `${path}x`]) {
      const visitor = createVisitor(server)
      expect([(await visitor.post(wrong)).status, visitor.cookie]).toEqual([410, ''])
    }
    expect(await accountsLike('stale@%')).toEqual([])
  })

  it('with the address of an existing account gets the same response, and a mail with a sign-in link', async () => {
    const { accountId } = await server.openAccount({ email: 'has@example.com' })
    const seen = ({ status, text }: PageVisit, address: string) => [
      status,
      text.replaceAll(address, 'ADDRESS'),
    ]
    const known = await ask('has@example.com')
    const unknown = await ask('hasnt@example.com')
    expect(seen(known, 'has@example.com')).toEqual(seen(unknown, 'hasnt@example.com'))
    const [sent] = await mail.untilMailsTo('has@example.com')
    expect(sent!.text).toContain('You already have one')
    const visitor = createVisitor(server)
    expect((await visitor.post(linkIn(sent!))).status).toBe(303)
    expect((await visitor.get('/portal')).text).toContain(accountId)
    expect(await accountsLike('has@%')).toHaveLength(1)
  })
})

describe('a mailbox gets the credits of a free account once', () => {
  it('even if two of its links are confirmed concurrently: one account, one grant', async () => {
    const spellings = ['a.na@gmail.com', 'ana+x@gmail.com', 'a.n.a@googlemail.com', 'AnA@gmail.com']
    const links = []
    for (const email of spellings) links.push(await linkFor(email))
    const answers = await Promise.all(links.map((path) => createVisitor(server).post(path)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)!.text).toContain('You already have an account')
    const { rows } = await db().query<{ accounts: number; granted: number }>(
      `select count(distinct a.id)::integer as accounts, coalesce(sum(m.amount), 0)::integer as granted
       from accounts a join movements m on m.account_id = a.id where a.email ~* '^a\\.?n\\.?a(\\+x)?@g'`,
    )
    expect(rows[0]).toEqual({ accounts: 1, granted: plans.free.creditsPerCycle })
  })

  it('even if one link is confirmed many times concurrently: one account', async () => {
    const path = await linkFor('once@example.com')
    const answers = await Promise.all(Array.from({ length: 8 }, () => createVisitor(server).post(path)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(410)])
    expect(await accountsLike('once@%')).toMatchObject([{ grants: plans.free.creditsPerCycle }])
  })

  it('even after its account was suspended, and also counting accounts that the operator created', async () => {
    const path = await linkFor('gone@proton.me')
    const key = keyIn(await createVisitor(server).post(path))!
    const { id } = (await server.get('/v1/me', { key })).json.data
    await db().query(`update accounts set status = 'suspended' where id = $1`, [id])
    await ask('g.o.n.e+again@pm.me')
    const [sent] = await mail.untilMailsTo('gone@proton.me', 2)
    expect(sent).toBeDefined()
    expect((await mail.untilMailsTo('gone@proton.me', 2))[1]!.text).toContain('You already have one')
    expect(mail.mails.some(({ to }) => to.some((one) => one.startsWith('g.o.n.e')))).toBe(false)

    await server.openAccount({ email: 'made.by@gmail.com' })
    await ask('madeby@gmail.com')
    expect((await mail.untilMailsTo('made.by@gmail.com'))[0]!.text).toContain('You already have one')
  })
})

describe('an attacker', () => {
  it('gets 10 sign-up mails from one source in a day, and then 429', async () => {
    const wanted = process.env.LOTLINE_FULL === '1' ? 1000 : 40
    const statuses = new Map<number, number>()
    for (let at = 0; at < wanted; at++) {
      const { status } = await ask(`robot${at}@example.com`, '10.200.0.1')
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect([...statuses]).toEqual([
      [200, SIGN_UPS_FROM_SOURCE.perDay],
      [429, wanted - SIGN_UPS_FROM_SOURCE.perDay],
    ])
    await server.app.mailer!.drained()
    expect(mail.mails.filter(({ to }) => to[0]!.startsWith('robot')).length).toBeLessThanOrEqual(
      SIGN_UPS_FROM_SOURCE.perDay,
    )
  })

  it('cannot create an account without the mail: a refused mail withdraws its link', async () => {
    mail.mode = 'refuses recipients'
    try {
      expect((await ask('bounced@example.com')).status).toBe(200)
      await expect
        .poll(async () => {
          await server.app.mailer!.drained()
          return (
            await db().query(`select from one_time_links where facts->>'email' = 'bounced@example.com'`)
          ).rowCount
        })
        .toBe(0)
    } finally {
      mail.mode = 'accepts'
    }
  })
})

describe('an invitation', () => {
  const command = (more: Record<string, string>) =>
    lotlineWith({ DATABASE_URL: testDatabase.url, PUBLIC_URL: server.url, PORTAL: 'invite', ...more })

  it('is printed without SMTP_URL, works once within 7 days, and grants its plan', async () => {
    const made = await command({})('portal', 'invite', 'Guest@example.com', '--plan', 'monthly', '--json')
    expect(made.code, made.stderr).toBe(0)
    expect(made.json).toMatchObject({ email: 'Guest@example.com', plan: 'monthly', sent: false })
    const days = (Date.parse(made.json.expires_at) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.9)
    expect(days).toBeLessThanOrEqual(7.01)
    const { pathname } = new URL(made.json.url)
    const key = keyIn(await createVisitor(server).post(pathname))!
    expect((await server.get('/v1/me', { key })).json.data).toMatchObject({ plan_id: 'monthly' })
    expect((await createVisitor(server).post(pathname)).status).toBe(410)
    const again = await command({})('portal', 'invite', 'guest+2@example.com')
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('lotline portal link')
  })

  it('is sent by mail with SMTP_URL, and is not printed', async () => {
    const sent = await command({ SMTP_URL: mail.url, MAIL_FROM: 'no-reply@example.com' })(
      'portal',
      'invite',
      'invited@example.com',
      '--json',
    )
    expect(sent.json).toMatchObject({ sent: true })
    expect(sent.stdout).not.toContain('/portal/')
    const [received] = await mail.untilMailsTo('invited@example.com')
    expect((await createVisitor(server).post(linkIn(received!))).status).toBe(200)
  })

  it('does not work if it cannot be sent, and does not exist with PORTAL=on', async () => {
    mail.mode = 'refuses recipients'
    try {
      const failed = await command({ SMTP_URL: mail.url, MAIL_FROM: 'no-reply@example.com' })(
        'portal',
        'invite',
        'unsent@example.com',
      )
      expect(failed.code).toBe(1)
      expect(failed.stderr).toContain('was not sent')
      expect(
        (await db().query(`select from one_time_links where facts->>'email' = 'unsent@example.com'`))
          .rowCount,
      ).toBe(0)
    } finally {
      mail.mode = 'accepts'
    }
    const off = await command({ PORTAL: 'on' })('portal', 'invite', 'off@example.com')
    expect([off.code, off.stderr]).toEqual([1, expect.stringContaining('PORTAL does not let people')])
  })
})

describe('the setting PORTAL', () => {
  it.each([
    ['invite', 303, 410],
    ['on', 303, 303],
  ] as const)('=%s has no sign-up form', async (mode, form, link) => {
    const other = await startTestServer(testDatabase, { env: { ...env, PORTAL: mode } })
    try {
      const visitor = createVisitor(other)
      const page = await visitor.get('/portal')
      expect(page.text).toContain('Send me a sign-in link')
      expect(page.text).not.toContain('Create one')
      const { status } = await visitor.post(
        '/portal/sign-up',
        { email: 'x@example.com' },
        { origin: server.url },
      )
      expect(status).toBe(form)
      expect(
        (await visitor.post(`/portal/sign-up/${'x'.repeat(43)}`, {}, { origin: server.url })).status,
      ).toBe(link)
      expect(await accountsLike('x@example.com')).toEqual([])
    } finally {
      await other.close()
    }
  })
})
