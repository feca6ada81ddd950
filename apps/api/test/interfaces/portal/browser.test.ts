// The portal in a real browser: each flow with script and without, no request to another host, no serious fault of accessibility in
// light and dark, nothing that runs because a customer, a receiver or a listing wrote it. One browser and one server for the file.

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { createSignInLink } from '../../../src/money/accounts/portal-sessions.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { BOX, untilEnded } from '../../work/jobs/job-calls.ts'
import { homes } from '../../work/watches/watch-tools.ts'
import { ATTACK, expectUsable, withPortalBrowser } from './portal-browser.ts'
import { signedIn } from './visitor.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, {
  env: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'on', WEBHOOK_TIMEOUT_MS: '5000', WEBHOOK_BACKOFF_MS: '20' },
})

const HOMES = homes(1, 41, {
  streetAddress: `1 Main St ${ATTACK}`,
  city: 'Seattle',
  state: 'WA',
  zipcode: '98109',
})

const { open, signIn, foreign, complaints } = withPortalBrowser(
  server,
  'the portal works in a browser and calls no other host',
)

beforeAll(async () => {
  await importListings(testDatabase.database, rowsOf(HOMES as never[]), { source: 'mls' })
})

/** A search of more than 50 homes is a job. It waits for a worker. */
async function startJob(key: string): Promise<string> {
  const { status, json } = await server.post(
    '/v1/search',
    { filters: { status: 'for_sale', bbox: BOX }, maxItems: 60 },
    { key },
  )
  expect(status).toBe(202)
  return json.data.job_id
}

const BOTH = [
  ['with script', true],
  ['without script', false],
] as const

describe.each(BOTH)('%s', (_name, script) => {
  it('a customer signs in with a link once, and signs out', async () => {
    const { accountId } = await server.openAccount()
    const { token } = await createSignInLink(testDatabase.database, accountId)
    const page = await open({ script })
    await page.goto(`${server.url}/portal/link/${token}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('credits available').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    await page.goto(`${server.url}/portal/link/${token}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  })

  it('a customer creates a key that only this page shows, rotates it, and revokes it', async () => {
    const { key } = await server.openAccount()
    const page = await open({ script })
    await page.goto(`${server.url}/portal`)
    await page.getByLabel('API key').fill(key)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('credits available').waitFor()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('link', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill(`Report ${ATTACK}`)
    await page.getByLabel('Credit limit', { exact: true }).fill('500')
    await page.getByLabel('Operations').fill('getAccount listUsage')
    await page.getByRole('button', { name: 'Create key' }).click()
    const made = await page.getByLabel('API key', { exact: true }).inputValue()
    const me = await server.get('/v1/me', { key: made })
    expect(me.json.data.key.limit).toEqual({ credits: 500, per: 'month' })
    expect((await server.get('/v1/jobs', { key: made })).code).toBe('key_not_allowed')

    // The browser sends the form again: no second key.
    await page.reload()
    expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe(made)
    await page.getByRole('link', { name: 'Done' }).click()
    expect(await page.content()).not.toContain(made)
    const listed = await server.get('/v1/keys', { key })
    expect(listed.json.data.map(({ name }: { name: string }) => name)).toEqual([`Report ${ATTACK}`, ''])
    expect(await page.title()).toBe('API keys · Lotline')

    const row = page.getByRole('row').filter({ hasText: 'Report' })
    await row.getByText('Rotate', { exact: true }).click()
    await row.getByLabel('The old key stops working').selectOption('0')
    await row.getByRole('button', { name: 'Rotate key' }).click()
    const rotated = await page.getByLabel('API key', { exact: true }).inputValue()
    expect(rotated).not.toBe(made)
    await expect.poll(async () => (await server.get('/v1/me', { key: made })).status).toBe(401)
    expect((await server.get('/v1/me', { key: rotated })).status).toBe(200)
    await page.getByRole('link', { name: 'Done' }).click()

    await row.getByText('Revoke', { exact: true }).click()
    await row.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('The key was revoked').waitFor()
    await expect.poll(async () => (await server.get('/v1/me', { key: rotated })).status).toBe(401)
  })

  it('a customer adds a webhook, tests it, reads its log, sends an event again, and deletes it', async () => {
    const { key, accountId } = await server.openAccount()
    const receiver = await startReceiver((response) => response.writeHead(500).end(`<b>no</b>${ATTACK}`))
    const page = await open({ script })
    await signIn(page, key)
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByText('No webhooks yet').waitFor()
    await page.getByRole('link', { name: 'Add webhook' }).click()
    await page.getByLabel('URL').fill(`${receiver.url}/hook`)
    await page.getByLabel('Note').fill(ATTACK)
    await page.getByRole('button', { name: 'Add webhook' }).click()
    expect(await page.getByLabel('Signing secret').inputValue()).toMatch(/^whsec_/)
    await page.getByRole('link', { name: 'Done' }).click()
    await page.getByText('No deliveries yet').waitFor()

    await page.getByRole('button', { name: 'Send test delivery' }).click()
    await page.getByText('The test was not delivered').waitFor()
    expect(await page.getByText('<b>no</b>').first().textContent()).toContain(ATTACK)
    expect(await page.title()).toBe('Webhook · Lotline')
    expect(receiver.events).toHaveLength(1)

    receiver.answer = (response) => response.writeHead(200).end('thanks')
    const deliverer = server.app.webhooks.start()
    onTestFinished(() => deliverer.stop())
    await server.send('POST', `/v1/jobs/${await startJob(key)}/abort`, { key })
    const rows = page.getByRole('row').filter({ hasText: 'Delivered' })
    const untilDelivered = (count: number) =>
      until(async () => {
        await page.goto(page.url())
        return (await rows.count()) === count
      })
    await untilDelivered(1)
    // The body as it was sent, also if the event has text that somebody else wrote.
    const request = rows.first().locator('details').filter({ hasText: 'Request' }).locator('pre')
    expect(await request.textContent()).toBe(receiver.events[1]!.body)
    await testDatabase.database.query('update webhook_events set data = $2 where account_id = $1', [
      accountId,
      JSON.stringify({ input: `${ATTACK} ${'x'.repeat(9_000)}` }),
    ])
    await page.getByRole('button', { name: 'Send again: job.aborted' }).click()
    await page.getByText('The event is sent again').waitFor()
    await untilDelivered(2)
    // The test, the event, and one attempt more.
    expect(receiver.events).toHaveLength(3)
    const { body } = receiver.events[2]!
    await rows.first().getByText('Request', { exact: true }).click()
    expect(await request.textContent()).toBe(body.slice(0, 4096))
    expect(JSON.parse(body).data.input).toContain(ATTACK)
    await rows
      .first()
      .getByText(`This is the beginning of ${body.length.toLocaleString('en-US')} bytes.`)
      .waitFor()
    expect(await page.title()).toBe('Webhook · Lotline')
    if (script) await expectUsable(page)
    // The receiver refuses it from now on: the event is sent once more, and not again after that.
    receiver.answer = (response) => response.writeHead(500).end()
    await page.getByRole('button', { name: 'Send again: job.aborted' }).first().click()
    await page.getByText('The event is sent again').waitFor()
    const stateOfDelivery = async () =>
      (
        await testDatabase.database.query<{ state: string; attempt: number }>(
          'select state, attempt from webhook_deliveries where account_id = $1',
          [accountId],
        )
      ).rows
    await until(async () => (await stateOfDelivery())[0]?.state === 'dropped')
    expect(await stateOfDelivery()).toEqual([{ state: 'dropped', attempt: 3 }])
    expect(receiver.events).toHaveLength(4)

    await page.locator('summary').filter({ hasText: 'Rotate secret' }).click()
    await page.getByRole('button', { name: 'Rotate secret' }).last().click()
    expect(await page.getByLabel('Signing secret').inputValue()).toMatch(/^whsec_/)
    await page.getByRole('link', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Pause the webhook' }).click()
    await page.getByText('Paused', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Resume the webhook' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    await page.getByText('Delete', { exact: true }).click()
    await page.getByRole('button', { name: 'Delete webhook' }).click()
    await page.getByText('No webhooks yet').waitFor()
  })

  it('a customer aborts a job, follows another to its end, and downloads its rows', async () => {
    const { key } = await server.openAccount()
    const page = await open({ script })
    await signIn(page, key)
    const aborted = await startJob(key)
    await page.getByRole('link', { name: 'Jobs', exact: true }).click()
    await page.getByRole('link', { name: 'Search', exact: true }).click()
    await page.locator('summary').filter({ hasText: 'Abort job' }).click()
    await page.getByRole('button', { name: 'Abort job' }).last().click()
    await page.getByText('Aborted', { exact: true }).waitFor()
    expect((await server.get(`/v1/jobs/${aborted}`, { key })).json.data.status).toBe('aborted')

    const id = await startJob(key)
    await page.goto(`${server.url}/portal/jobs/${id}`)
    await page.getByText('Queued', { exact: true }).waitFor()
    const worker = server.app.jobs.start({ work: true })
    onTestFinished(() => worker.stop())
    await untilEnded(server, key, id)
    // The page finds out by itself, without script by loading itself again.
    await page.getByText('Succeeded', { exact: true }).waitFor()
    await page.getByRole('heading', { name: '40 rows' }).waitFor()
    expect(await page.getByText('onerror').count()).toBe(25)
    if (script) await expectUsable(page)
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('26–40 of 40').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ])
    const file = await new Response((await download.createReadStream()) as never).text()
    expect(download.suggestedFilename()).toBe(`job-${id}.csv`)
    expect(file).toBe((await server.get(`/v1/jobs/${id}/results?format=csv&limit=1000`, { key })).text)
  })

  it('a customer reads the events of a watch, and pauses, resumes and deletes it', async () => {
    const { key } = await server.openAccount()
    const filters = { status: 'for_sale', bbox: { west: -123, south: 47, east: -122, north: 48 } }
    const made = await server.post('/v1/watches', { name: `Watch ${ATTACK}`, filters }, { key })
    expect(made.status, made.text).toBe(201)
    const { id } = made.json.data
    const price = 400_000 + (script ? 1 : 2)
    await importListings(testDatabase.database, rowsOf([{ ...HOMES[0], price }] as never[]), {
      source: 'mls',
    })
    const watches = server.app.watches.start()
    onTestFinished(() => watches.stop())
    await until(async () => (await server.get(`/v1/watches/${id}/events`, { key })).json.data.length === 1)

    const page = await open({ script })
    await signIn(page, key)
    await page.getByRole('link', { name: 'Watches' }).click()
    await page.getByRole('link', { name: 'Watch "' }).click()
    await page.getByText(`$400,00${script ? 1 : 2}`).waitFor()
    if (script) await expectUsable(page)
    expect(await page.title()).toContain(ATTACK)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('Active', { exact: true }).waitFor()
    await page.getByText('Delete', { exact: true }).click()
    await page.getByRole('button', { name: 'Delete watch' }).click()
    await page.getByText('No watches yet').waitFor()
  })

  it('the sums of the usage page are those of the summary and of the ledger', async () => {
    const { key, accountId } = await server.openAccount()
    for (const zpid of [1, 2, 3]) await server.get(`/v1/properties/${zpid}`, { key })
    const page = await open({ script })
    await signIn(page, key)
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('link', { name: 'Operation' }).click()
    const row = page.getByRole('row').filter({ hasText: 'getProperty' })
    expect(await row.getByRole('cell').allTextContents()).toEqual(['getProperty', '3', '3', '3'])
    const { rows } = await testDatabase.database.query<{ spent: number }>(
      'select -sum(amount) as spent from postings where account_id = $1 and amount < 0',
      [accountId],
    )
    const total = page.getByRole('row').filter({ hasText: 'Total' })
    expect((await total.getByRole('cell').allTextContents()).at(-1)).toBe(String(rows[0]!.spent))
    const { meta } = (await server.get('/v1/usage/summary', { key })).json
    expect(meta.total.credits_charged).toBe(Number(rows[0]!.spent))
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ])
    const file = await new Response((await download.createReadStream()) as never).text()
    expect(file).toContain('\r\ngetProperty,3,3,3,0\r\n')
    await page.getByRole('link', { name: '7 days' }).click()
    expect((await total.getByRole('cell').allTextContents()).at(-1)).toBe(String(rows[0]!.spent))

    // The calls one by one, in pages.
    const calls = Array.from({ length: 45 }, () => server.get('/v1/me', { key }))
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200))
    await page.getByRole('link', { name: 'Show calls' }).click()
    expect(await page.getByText('/v1/properties/2', { exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Older calls' }).click()
    expect(await page.getByText('/v1/properties/2', { exact: true }).count()).toBe(1)
    const call = page.getByRole('row').filter({ hasText: '/v1/properties/2' })
    expect((await call.getByRole('cell').allTextContents()).slice(1, 4)).toEqual([
      '/v1/properties/2',
      'getProperty',
      '200',
    ])
  })
})

it('every page fits wide and narrow screens and has no serious fault for assistive technology, in light and dark', async () => {
  const { key } = await server.openAccount()
  await server.get('/v1/properties/1', { key })
  const watch = await server.post('/v1/watches', { name: 'Homes', zpids: ['1'] }, { key })
  const { url } = await startReceiver()
  const hook = await server.post('/v1/webhooks', { url }, { key })
  const job = await startJob(key)
  const page = await open()
  const check = async (path: string) => {
    await page.goto(server.url + path)
    await expectUsable(page)
  }
  await check('/portal')
  await signIn(page, key)
  for (const path of ['', '/usage', '/usage?by=key', '/usage/calls', '/keys', '/keys/new', '/none']) {
    await check(`/portal${path}`)
  }
  for (const path of ['/jobs', '/webhooks', '/webhooks/new', '/watches', '/explore?where=98109'])
    await check(`/portal${path}`)
  await check(`/portal/jobs/${job}`)
  await check(`/portal/webhooks/${hook.json.data.id}`)
  await check(`/portal/watches/${watch.json.data.id}`)
})

it('all controls are reachable by keyboard, with a visible focus', async () => {
  const { key } = await server.openAccount()
  const page = await open()
  await signIn(page, key)
  await page.goto(`${server.url}/portal/keys`)
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
  const seen = new Set<string>()
  for (let at = 0; at < 13; at++) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    seen.add(await page.evaluate('document.activeElement.textContent'))
  }
  expect([...seen]).toEqual(expect.arrayContaining(['Usage', 'Sign out', 'Create key', 'Rotate', 'Revoke']))
})

it('another page cannot frame the portal', async () => {
  const { key } = await server.openAccount()
  const page = await open()
  await signIn(page, key)
  // A page of the same site, where the cookie is sent.
  await page.goto(`${server.url}/healthz`)
  await page.evaluate(`document.body.innerHTML = '<iframe src="/portal"></iframe>'`)
  await expect.poll(() => complaints.some((line) => line.includes('frame-ancestors'))).toBe(true)
  complaints.splice(0, complaints.length, ...complaints.filter((line) => !line.includes('frame')))
})

it('no page loaded anything from another host or violated its policy', async () => {
  expect(foreign).toEqual([])
  expect(complaints.filter((line) => /Content Security Policy|hacked/i.test(line))).toEqual([])
})

it('a client without a browser gets the same pages', async () => {
  const { key } = await server.openAccount()
  expect((await (await signedIn(server, key)).get('/portal')).text).toContain(
    '<h1 class="hidden">Overview</h1>',
  )
})
