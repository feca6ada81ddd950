// Sign-in by e-mail and sign-up in a real browser, with script and without.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../money/oauth/oauth-client.ts'
import { linkIn, type MailServer, startMailServer } from '../../setup/mail-server.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, type TestServer } from '../../setup/test-server.ts'
import { findFaults } from '../manual/axe.ts'
import { withPortalBrowser } from './portal-browser.ts'

const testDatabase = withTestDatabase()
const port = await freePort()
const url = `http://127.0.0.1:${port}`
let mail: MailServer
let server: TestServer & { close(): Promise<void> }

const { open, foreign, complaints } = withPortalBrowser(
  { url },
  'sign-in by e-mail and sign-up work in a browser',
)

beforeAll(async () => {
  mail = await startMailServer()
  const env = { SMTP_URL: mail.url, MAIL_FROM: 'no-reply@example.com', PUBLIC_URL: url, PORTAL: 'open' }
  server = await startTestServer(testDatabase, { port, env })
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

describe.each([
  ['with script', true],
  ['without script', false],
] as const)('%s', (name, script) => {
  it('a visitor creates an account, copies its key, signs out, and signs in by mail', async () => {
    const address = `${name.replace(' ', '-')}@example.com`
    const page = await open({ script })
    const check = async () => {
      for (const [width, colorScheme] of [
        [1280, 'light'],
        [360, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        expect(await page.evaluate('document.documentElement.scrollWidth'), page.url()).toBe(width)
        if (script) expect(await findFaults(page), page.url()).toEqual([])
      }
    }
    await page.goto(`${url}/portal`)
    await check()
    await page.getByRole('link', { name: 'Create one' }).click()
    await check()
    await page.getByLabel('Email address').fill(address)
    await page.getByRole('button', { name: 'Send me the link' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await check()
    await page.goto(url + linkIn((await mail.untilMailsTo(address))[0]!))
    await check()
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Your account is ready' }).waitFor()
    await check()
    const key = await page.getByLabel('API key', { exact: true }).inputValue()
    expect((await server.get('/v1/me', { key })).json.data.email).toBe(address)
    await page.getByRole('link', { name: 'Go to the overview' }).click()
    await page.getByText('credits available').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()

    await page.getByLabel('Email address').fill(address)
    await page.getByRole('button', { name: 'Send me a sign-in link' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    const signIn = url + linkIn((await mail.untilMailsTo(address, 2))[1]!)
    await page.goto(signIn)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('credits available').waitFor()
    await page.goto(signIn)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    await check()
    expect({ foreign, complaints: complaints.filter((line) => !line.includes('410')) }).toEqual({
      foreign: [],
      complaints: [],
    })
  })
})
