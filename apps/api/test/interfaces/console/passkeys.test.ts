// Passkeys in a real browser, with an authenticator that the browser simulates: an operator makes one with a link of the command, and signs
// in with it. Without a browser: what does not sign in.

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createConsole } from '../../../src/interfaces/console/console.ts'
import { readTrail } from '../../../src/money/operator/trail.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { jsonOf, lotlineWith } from '../cli/run-lotline.ts'
import { expectUsable, withPortalBrowser } from '../portal/portal-browser.ts'
import { createVisitor } from '../portal/visitor.ts'
import { withTestConsole } from './operator.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const console = withTestConsole(server)
const { open, foreign, complaints } = withPortalBrowser(
  {
    get url() {
      return home()
    },
  },
  'operators make passkeys and sign in with them',
)
const db = () => testDatabase.database
/** Browsers use no passkeys under an address. */
const home = () => console.url.replace('127.0.0.1', 'localhost')
const lotline = (...args: readonly string[]) =>
  lotlineWith({ DATABASE_URL: testDatabase.url, ADMIN_PORT: new URL(console.url).port })(...args)
const run = (...args: readonly string[]) => jsonOf(lotline, ...args, '--operator', 'Root')

/** Gives the browser of a page an authenticator whose user agrees to everything. */
async function withAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const setVerified = (isUserVerified: boolean) =>
    session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  return { setVerified }
}

async function enroll(page: Page, name: string, role: string): Promise<void> {
  const { url } = await run('operators', 'add', name, '--role', role)
  expect(url).toMatch(new RegExp(`^${home()}/enroll/[\\w-]{43}$`))
  await page.goto(url)
  await page.getByText(`You are ${name}`).waitFor()
  await page.getByRole('button', { name: 'Make a passkey' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

describe('an operator', () => {
  it('makes a passkey with a link once, signs in with it, and is signed out when he is removed', async () => {
    const page = await open()
    await withAuthenticator(page)
    const { url } = await run('operators', 'add', 'Ana Lopez', '--role', 'finance')
    await page.goto(url)
    await expectUsable(page)
    await page.getByText('You are Ana Lopez').waitFor()
    await page.getByRole('button', { name: 'Make a passkey' }).click()
    await page.getByRole('heading', { name: 'Accounts', exact: true }).waitFor()
    await page.getByText('Ana Lopez, finance').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.goto(url)
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor()

    await page.goto(home())
    await expectUsable(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Accounts', exact: true }).waitFor()
    expect((await page.context().cookies())[0]).toMatchObject({
      name: 'lotline_console',
      httpOnly: true,
      sameSite: 'Strict',
    })
    const [listed] = (await jsonOf(lotline, 'operators', 'list')).slice(1)
    expect(listed).toMatchObject({ name: 'Ana Lopez', role: 'finance', passkeys: 1 })
    expect(await jsonOf(lotline, 'console', 'sessions')).toMatchObject([
      {
        operator: 'Ana Lopez',
        role: 'finance',
        sign_in: 'passkey',
        user_agent: expect.stringContaining('Chrome'),
      },
    ])
    const trail = await readTrail(db(), { limit: 4 })
    expect(trail.map(({ action, operator, sign_in }) => [action, operator, sign_in])).toEqual([
      ['console.sign-in', 'Ana Lopez', 'passkey'],
      ['console.sign-in', 'Ana Lopez', 'passkey'],
      ['console.add-passkey', 'Ana Lopez', 'passkey'],
      ['operators.add', 'Root', null],
    ])

    await run('operators', 'remove', 'Ana Lopez')
    await page.goto(`${home()}/accounts`)
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    expect(foreign).toEqual([])
  })

  it('does not sign in with the passkey of a removed operator, or without a check of the user', async () => {
    const page = await open()
    const { setVerified } = await withAuthenticator(page)
    await enroll(page, 'Bea', 'data')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await setVerified(false)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('The browser used no passkey').waitFor()
    await setVerified(true)
    await run('operators', 'add', 'Cid', '--role', 'data')
    await run('operators', 'remove', 'Bea')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('This passkey does not work here').waitFor()
    expect(await page.context().cookies()).toEqual([])
  })

  it('signs in once with each answer of the browser', async () => {
    const page = await open()
    await withAuthenticator(page)
    await enroll(page, 'Dan', 'support')
    await page.getByRole('button', { name: 'Sign out' }).click()
    const sent = page.waitForRequest((request) => new URL(request.url()).pathname === '/passkey')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    const body = (await sent).postData()!
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    const replay = await fetch(`${home()}/passkey`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: home(), 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
    expect(replay.status).toBe(403)
    expect(replay.headers.get('set-cookie')).toBeNull()
  })

  it('signs in to no other address of the console', async () => {
    const page = await open()
    await withAuthenticator(page)
    await enroll(page, 'Eve', 'support')
    // The same answer, signed for this console, at one with another address.
    await page.getByRole('button', { name: 'Sign out' }).click()
    let body = ''
    await page.route('**/passkey', (route) => {
      body = route.request().postData()!
      return route.abort()
    })
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await expect.poll(() => body).not.toBe('')
    const other = await createConsole(server.app, { url: 'https://console.example.com' })
    try {
      const refused = await other.inject({
        method: 'POST',
        url: '/passkey',
        headers: {
          host: 'console.example.com',
          origin: 'https://console.example.com',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body,
      })
      expect(refused.statusCode).toBe(403)
      expect(refused.headers['set-cookie']).toBeUndefined()
    } finally {
      await other.close()
    }
  })

  it('has no complaint of the browser', () => {
    // The refused sign-ins and the aborted request above are reported by the browser.
    expect(complaints.filter((line) => !/status of 4\d\d|net::ERR_FAILED/.test(line))).toEqual([])
  })
})

describe('without a browser', () => {
  it('a passkey page of an address names the address where passkeys work', async () => {
    const { url } = await run('operators', 'add', 'Fay', '--role', 'data')
    const path = new URL(url).pathname
    expect((await console.visitor().get(path)).text).toContain(`${home()}/enroll/`)
    expect((await console.visitor().get('/')).text).toContain(`Open the console at ${home()}`)
    expect((await createVisitor({ url: home() }).get('/')).text).toContain('data-passkey="sign-in"')
  })

  it('invalid answers, other origins, expired and unknown links sign in no one', async () => {
    const { url } = await run('operators', 'link', 'Fay')
    const path = new URL(url).pathname
    const visitor = createVisitor({ url: home() })
    for (const response of [
      '',
      '{}',
      'null',
      '[1]',
      '{"id":1,"response":{"clientDataJSON":5}}',
      'x'.repeat(1000),
    ]) {
      for (const [target, status] of [
        ['/passkey', 403],
        [path, 422],
      ] as const) {
        const { status: sent, headers } = await visitor.post(target, { response }, { csrf: undefined })
        expect([target, sent, headers.get('set-cookie')], response).toEqual([target, status, null])
      }
    }
    const limited = createVisitor({ url: home() })
    for (const target of ['/passkey', path, '/passkey/challenge'])
      for (const origin of ['https://evil.example.com', undefined])
        expect((await limited.post(target, {}, { csrf: undefined, origin })).status, target).toBe(403)
    await db().query(`update one_time_links set expires_at = now() where audience = 'enrollment'`)
    expect((await visitor.get(path)).status).toBe(410)
  })
})
