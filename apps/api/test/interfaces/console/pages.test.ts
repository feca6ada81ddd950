// The console's pages about the state of the service: they show the service's real data, and text from customers, receivers, and files
// appears as text.

import { answerOperator, type ConsoleApi, layOutConsole, type PageAnswer } from '@lotline/portal/console'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { addSource } from '../../../src/data/replication/source-store.ts'
import { countQuickly } from '../../../src/data/sources/dataset/count-listings.ts'
import { TransientFailure } from '../../../src/data/sources/provider.ts'
import { ADVISORY_LOCKS } from '../../../src/infrastructure/database/advisory-locks.ts'
import { auditAsOperator } from '../../../src/money/operator/audit.ts'
import { FormAlreadySent } from '../../../src/money/operator/trail.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { freePort } from '../../money/oauth/oauth-client.ts'
import { spawnServer, startServer, wordsOf } from '../../process/start/server-process.ts'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { homes } from '../../work/watches/watch-tools.ts'
import { lotlineWith } from '../cli/run-lotline.ts'
import { ATTACK } from '../portal/portal-browser.ts'
import { withTestConsole } from './operator.ts'

const testDatabase = withTestDatabase()
const provider = createMemoryProvider()
const server = withTestServer(testDatabase, {
  parts: { provider },
  env: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'on', WEBHOOK_BACKOFF_MS: '100000' },
})
const console = withTestConsole(server)
const db = () => testDatabase.database

/** The visible text of a page, with single spaces. Throws if a value became markup. */
async function read(path: string): Promise<string> {
  const { status, text } = await (await console.signedIn()).get(path)
  expect(status, path).toBe(200)
  expect(text).not.toContain('<img src=x')
  expect(text).not.toContain('<script>document')
  return textOf(text)
}

function textOf(markup: string): string {
  return markup
    .slice(markup.indexOf('<main'))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
}

describe('the console', () => {
  it('shows connected sources with their lag, and the errors of failing ones', async () => {
    await addSource(db(), 'metro', { kind: 'file', location: '/data/metro.ndjson', complete: false }, 900)
    await db().query(
      `update connected_sources set synced_at = now() - interval '3 hours', failures = 2, last_error = $1, counts = $2`,
      [`The server said ${ATTACK}`, JSON.stringify({ records: 1234, rejected: 5 })],
    )
    const text = await read('/sources')
    expect(text).toContain(`metro file Failing 2 failures: The server said ${ATTACK} 3 h 1,234 5`)
    await db().query('update connected_sources set paused_at = now()')
    expect(await read('/sources')).toContain('Paused')
    await db().query('delete from connected_sources')
    expect(await read('/sources')).toContain('No connected sources')
  })

  it('shows the data set, its last imports, their rejected rows, and a map', async () => {
    expect(await read('/data-set')).toContain('No homes')
    function* rows() {
      yield* rowsOf(homes(1, 31) as never[])
      for (let line = 31; line <= 60; line++) yield { line, fault: `has ${ATTACK}` }
    }
    await importListings(db(), rows(), { source: 'county' })
    await importListings(db(), rowsOf(homes(31, 36) as never[]), { source: 'mls' })
    const text = await read('/data-set')
    expect(text).toContain('35 homes')
    expect(text).toMatch(/county 30 mls 5/)
    expect(text).toMatch(/county [A-Z][a-z]+ \d+, \d{4}, \d\d:\d\d UTC 60 30 0/)
    // The first 20 of the 30.
    expect(text).toContain(`county line 31 has ${ATTACK}`)
    expect(text).toContain('county line 50 ')
    expect(text).not.toContain('county line 51 ')
    const { text: markup } = await (await console.signedIn()).get('/data-set')
    const shown = /data-homes="([^"]*)"/.exec(markup)![1]!.replaceAll('&quot;', '"')
    expect(JSON.parse(shown)).toHaveLength(35)
    expect(JSON.parse(shown)[0]).toEqual([
      expect.any(Number),
      expect.any(Number),
      expect.stringMatching(/^\d+$/),
    ])
  })

  it('shows an estimate if counting homes takes too long', async () => {
    await db().query('analyze listings')
    const counts = await db().transaction(async (tx) => {
      await tx.query('lock table listings in access exclusive mode')
      return countQuickly(db(), 50)
    })
    expect(counts).toEqual({ bySource: undefined, estimate: 35 })
    const page = await answerOperator({
      method: 'GET',
      path: '/data-set',
      query: new URLSearchParams(),
      form: new URLSearchParams(),
      session: { operator: 'Ana', role: 'owner', csrfToken: '', expiresAt: new Date() },
      console: {
        readDataSet: async () => ({
          counts: undefined,
          estimate: 12_345_678,
          imports: [],
          rejected: [],
          homes: [],
        }),
      } as unknown as ConsoleApi,
    })
    const text = textOf(layOutConsole(page as PageAnswer, undefined))
    expect(text).toContain(
      '12,345,678 homes, as the database estimates There are too many to count them here',
    )
  })

  it('shows providers with an open circuit breaker, and the number of queries', async () => {
    expect(await read('/providers')).toContain('Closed: asked Not since the start')
    provider.trouble = () => Promise.reject(new TransientFailure('gone'))
    onTestFinished(() => {
      provider.trouble = undefined
    })
    const { key } = await server.openAccount()
    for (let at = 1; at <= 5; at++)
      expect((await server.get(`/v1/properties/${7000 + at}`, { key })).status).toBe(502)
    expect(await read('/providers')).toMatch(/Open: not asked [A-Z][a-z]+ \d+/)
    await server.app.providerUsage.write()
    expect(await read('/providers')).toMatch(/UTC \d+ 1 /)
  })

  it('shows queues and failing webhooks', async () => {
    expect(await read('/queues')).toContain('No open jobs')
    expect(await read('/webhooks')).toContain('No failing webhooks')
    const { key, accountId } = await server.openAccount({ email: 'hooks@example.com' })
    const receiver = await startReceiver((response) => response.writeHead(500).end(ATTACK))
    const hook = await server.post('/v1/webhooks', { url: `${receiver.url}/h` }, { key })
    expect(hook.status, hook.text).toBe(201)
    await db().query(`update webhooks set url = url || '?' || $1`, [encodeURI(ATTACK)])
    const body = { urls: ['https://www.zillow.com/homedetails/1_zpid/'] }
    const job = await server.post('/v1/properties/batch', body, { key })
    expect(await read('/queues')).toContain(
      `${job.json.data.job_id} ${accountId.slice(0, 8)} Batch detail Queued`,
    )
    const deliverer = server.app.webhooks.start()
    try {
      await server.send('POST', `/v1/jobs/${job.json.data.job_id}/abort`, { key })
      await receiver.until(1)
      await until(async () => (await read('/webhooks')).includes('hooks@example.com'))
    } finally {
      await deliverer.stop()
    }
    await db().query('update webhooks set url = $1', [`http://127.0.0.1/${ATTACK}`])
    await db().query('update webhook_attempts set error = $1', [`It answered ${ATTACK}`])
    const text = await read('/webhooks')
    expect(text).toContain(`http://127.0.0.1/${ATTACK} hooks@example.com 1 of 1 1`)
    expect(text).toContain(`It answered ${ATTACK} None in 24 hours`)
  })

  it('runs one audit at a time, and shows its findings', async () => {
    const operator = await console.signedIn('Ana')
    const start = async () => {
      const form = /name="form" value="([^"]+)"/.exec((await operator.get('/audit')).text)?.[1] ?? ''
      expect((await operator.post('/audit', { form })).to).toBe('/audit')
      await until(async () => !(await operator.get('/audit')).text.includes('An audit has been running'))
      return textOf((await operator.get('/audit')).text)
    }
    expect(textOf((await operator.get('/audit')).text)).toContain('No audit yet')
    expect(await start()).toContain('Every credit is accounted for, as of')

    const { accountId } = await server.openAccount()
    const setBalance = (by: number) =>
      db().query('update accounts set balance = balance + $2 where id = $1', [accountId, by])
    await setBalance(7)
    const found = await start()
    expect(found).toMatch(/has [12] findings/)
    expect(found).toContain(`balance is postings ${accountId.slice(0, 8)} {"balance":10007,"postings":10000}`)
    await setBalance(-7)

    await db().transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.operatorAudit])
      expect(await start()).toContain('another process is running one')
    })
    expect(await start()).toContain('Every credit is accounted for, as of')
    // A form that is sent again makes no audit.
    const { rows: forms } = await db().query<{ form: string }>(
      `select form_id as form from operator_actions where action = 'credits.audit' limit 1`,
    )
    const again = auditAsOperator(
      { ...db(), transaction: () => Promise.reject(new Error('audited')) },
      { name: 'Ana', via: 'console', form: forms[0]!.form },
    )
    await expect(again).rejects.toThrow(FormAlreadySent)
    const { rows } = await db().query(
      `select operator, via, after ->> 'findings' as findings from operator_actions where action = 'credits.audit' order by id`,
    )
    expect(rows).toMatchObject([
      { operator: 'Ana', via: 'console', findings: '0' },
      { findings: expect.stringMatching(/[12]/) },
      { findings: '0' },
    ])
  })
})

describe('the process', () => {
  let port: number
  beforeAll(async () => {
    port = await freePort()
  })
  const env = () => ({
    DATABASE_URL: testDatabase.url,
    SAMPLE_DATA: 'off',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  })

  it('serves the console at ADMIN_PORT only, with a link from the command', async () => {
    const process = await startServer({ ...env(), ADMIN_PORT: String(port) })
    try {
      const lotline = lotlineWith({ ...env(), ADMIN_PORT: String(port) })
      const { url } = (await lotline('console', 'link', '--name', 'Bea', '--json')).json
      const origin = `http://127.0.0.1:${port}`
      expect(url).toMatch(new RegExp(`^${origin}/link/`))
      const signedIn = await fetch(url, { method: 'POST', redirect: 'manual', headers: { origin } })
      expect(signedIn.status).toBe(303)
      const cookie = signedIn.headers.get('set-cookie')!.split(';', 1)[0]!
      expect(await (await fetch(`${origin}/accounts`, { headers: { cookie } })).text()).toContain('Bea')
      expect((await fetch(`${origin}/v1/me`, { headers: { cookie }, redirect: 'manual' })).status).toBe(404)
      expect((await fetch(`${process.url}/accounts`, { headers: { cookie } })).status).toBe(404)
      // A command that locks the console ends the session in the process that serves it.
      expect((await lotline('console', 'lock')).code).toBe(0)
      const locked = await fetch(`${origin}/accounts`, { headers: { cookie }, redirect: 'manual' })
      expect(locked.headers.get('location')).toBe('/')
      expect(await (await fetch(origin)).text()).toContain('The console is locked')
      expect((await lotline('console', 'unlock')).code).toBe(0)
      // A second process cannot take the port, and says which setting names it.
      const second = spawnServer({ ...env(), ADMIN_PORT: String(port) })
      expect(await second.exited).toMatchObject({ code: 1 })
      expect(wordsOf(second).join('\n')).toContain('ADMIN_PORT')
    } finally {
      process.kill('SIGTERM')
      await process.exited
    }
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
  })

  it('has no console unless ADMIN_PORT is set', () => {
    expect(server.app.config.admin).toBeUndefined()
  })
})

afterAll(() => {
  provider.trouble = undefined
})
