// The trail of operator actions: every command that changes something writes who did it, and what it was before and after, in the
// transaction of the change.

import { writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { joinTransaction } from '../../../src/infrastructure/database/database.ts'
import { lotline as program, withSubcommands } from '../../../src/interfaces/cli/program.ts'
import { suspendAccount } from '../../../src/money/accounts/suspend.ts'
import { setPlan, setStatus } from '../../../src/money/operator/account-actions.ts'
import { readTrail, runAsOperator } from '../../../src/money/operator/trail.ts'
import { BILLING_FILE } from '../../money/billing/prices.ts'
import { SECRET_KEY, WEBHOOK_SECRET, withStripeServer } from '../../money/billing/stripe-server.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { runImportCommands } from './run-import-commands.ts'
import { jsonOf, lotlineWith } from './run-lotline.ts'
import { runOperatorCommands } from './run-operator-commands.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { env: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'on' } })
const stripe = withStripeServer()
const db = () => testDatabase.database
const lotline = (...args: readonly string[]) =>
  lotlineWith({
    DATABASE_URL: testDatabase.url,
    ADMIN_PORT: '9911',
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  })(...args)
const run = (...args: readonly string[]) => jsonOf(lotline, ...args, '--operator', 'Ana')

/** Commands that only read, or whose writes do not belong in the trail. */
const READS = [
  'accounts list',
  'accounts show',
  'accounts top',
  'keys list',
  'credits history',
  'jobs list',
  'listings map',
  'listings stats',
  'listings changes',
  'listings held',
  'listings imports',
  'listings show',
  'areas list',
  'sources check',
  'sources list',
  'sources status',
  'watches list',
  'watches show',
  'webhooks list',
  'console trail',
  'console sessions',
  'credits pending',
  'operators list',
  'backup',
  'purchases list',
  // The database is that of the backup afterwards, and so is the trail.
  'restore',
  // Sends a test event, which is listed nowhere.
  'webhooks test',
]

function nameOf(command: Command): string {
  return command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()
}

describe('the trail', () => {
  it('records the operator of every command that changes data', () => {
    const verbs = withSubcommands(program()).filter(({ commands }) => commands.length === 0)
    const withOperator = verbs.filter(({ options }) => options.some(({ long }) => long === '--operator'))
    expect([...withOperator.map(nameOf), ...READS].sort()).toEqual(verbs.map(nameOf).sort())
  })

  it('records account, key, and credit changes before and after, without secrets', async () => {
    const made = await run('accounts', 'create', '--plan', 'monthly', '--email', 'ana@example.com')
    const { account_id: id, key, key_id: keyId } = made
    await run('accounts', 'suspend', id)
    // It is already suspended.
    await run('accounts', 'suspend', id)
    await run('accounts', 'resume', id)
    await run('accounts', 'set-plan', id, '--plan', 'monthly', '--rate', '300')
    await run('credits', 'topup', '--account', id, '--amount', '500', '--reference', 'Invoice 1')
    await run('credits', 'topup', '--account', id, '--amount', '500', '--reference', 'Invoice 1')
    await run('credits', 'adjust', '--account', id, '--amount', '-100', '--reason', 'Topped up twice')
    const call = await server.get('/v1/properties/1', { key })
    expect(call.status).toBe(404)
    const second = await run('keys', 'create', id, '--name', 'Report')
    for (let at = 0; at < 2; at++)
      await run('keys', 'update', second.key_id, '--credit-limit', '5', '--per', 'day')
    const third = await run('keys', 'rotate', second.key_id)
    for (let at = 0; at < 2; at++) await run('keys', 'revoke', third.key_id, '--yes')
    // As a client of an external issuer has it.
    await db().query('update api_keys set oauth_issuer = $2 where id = $1', [
      third.key_id,
      'https://issuer.example',
    ])
    await run('keys', 'readmit', third.key_id)
    const link = await run('portal', 'link', id)

    const trail = (await readTrail(db(), { account: id, limit: 100 })).reverse()
    expect(trail.map(({ action }) => action)).toEqual([
      'accounts.create',
      'accounts.suspend',
      'accounts.resume',
      'accounts.set-plan',
      'credits.topup',
      'credits.adjust',
      'keys.create',
      'keys.update',
      'keys.rotate',
      'keys.revoke',
      'keys.readmit',
      'portal.link',
    ])
    expect(new Set(trail.map(({ operator, via }) => `${operator} ${via}`))).toEqual(new Set(['Ana command']))
    const entry = (action: string) => trail.find((one) => one.action === action)!
    expect(entry('accounts.create')).toMatchObject({
      before: null,
      after: { plan: 'monthly', key_id: keyId },
    })
    expect(entry('accounts.suspend')).toMatchObject({
      before: { status: 'active' },
      after: { status: 'suspended' },
    })
    expect(entry('accounts.set-plan')).toMatchObject({
      before: { rate_limit_per_minute: 200 },
      after: { rate_limit_per_minute: 300 },
    })
    expect(entry('credits.topup')).toMatchObject({
      before: { balance: 1000 },
      after: { balance: 1500, added: 500, reference: 'Invoice 1' },
    })
    expect(entry('credits.adjust')).toMatchObject({
      before: { balance: 1500 },
      after: { balance: 1400, reason: 'Topped up twice' },
    })
    expect(entry('keys.update')).toMatchObject({
      object: second.key_id,
      before: { credit_limit: null },
      after: { credit_limit: { credits: 5, per: 'day' } },
    })
    expect(entry('keys.revoke').before).toMatchObject({ revoked_at: null })
    expect(entry('keys.revoke').after?.revoked_at).not.toBeNull()
    const all = JSON.stringify(trail)
    for (const secret of [key, second.key, third.key, link.url.split('/').at(-1)])
      expect(all).not.toContain(secret)

    const listed = await jsonOf(lotline, 'console', 'trail', '--account', id)
    expect(listed).toHaveLength(trail.length)
    const { stdout } = await lotline('console', 'trail', '--account', id)
    expect(stdout).toContain('status: active → suspended')
  })

  it('records changes of listings, areas, sources, jobs, watches, and webhooks', async () => {
    const { key, accountId } = await server.openAccount()
    const folder = await makeTemporaryDirectory()
    const homes = join(folder, 'homes.ndjson')
    const home = {
      zpid: 1,
      homeStatus: 'FOR_SALE',
      homeType: 'SINGLE_FAMILY',
      price: 500_000,
      latitude: 47.5,
      longitude: -122.3,
      streetAddress: '1 Main St',
      city: 'Seattle',
      state: 'WA',
      zipcode: '98109',
    }
    await writeFile(homes, `${JSON.stringify(home)}\n{"zpid":"none"}\n`)
    await run('listings', 'import', homes, '--dry-run')
    await run('listings', 'import', homes)
    const towns = join(folder, 'towns.json')
    const ring = [
      [-122, 47],
      [-121.9, 47],
      [-121.9, 47.1],
      [-122, 47],
    ]
    const town = {
      type: 'Feature',
      properties: { id: 'a', name: 'A' },
      geometry: { type: 'Polygon', coordinates: [ring] },
    }
    await writeFile(towns, JSON.stringify({ type: 'FeatureCollection', features: [town] }))
    const areas = ['areas', 'import', towns, '--kind', 'place', '--id-field', 'id', '--name-field', 'name']
    await run(...areas, '--source', 'Towns', '--license', 'CC0', '--dry-run')
    await run(...areas, '--source', 'Towns', '--license', 'CC0')
    await run('areas', 'remove', '--kind', 'place')
    await run('sources', 'add', 'nightly', '--kind', 'file', '--url', `${homes}`, '--every', '1d')
    for (let at = 0; at < 2; at++) await run('sources', 'pause', 'nightly')
    await run('sources', 'resume', 'nightly')
    await run('sources', 'sync', 'nightly')
    await run('sources', 'remove', 'nightly', '--yes')
    await run('sources', 'add', 'gone', '--kind', 'file', '--url', `${homes}.gone`, '--every', '1d')
    expect((await lotline('sources', 'sync', 'gone', '--full', '--operator', 'Ana')).code).toBe(1)

    const call = await server.get('/v1/properties/1', { key })
    expect([call.status, call.charged]).toEqual([200, 1])
    const request = call.headers.get('x-request-id')!
    for (let at = 0; at < 2; at++)
      await run('credits', 'refund', '--account', accountId, '--request', request, '--reason', 'Wrong record')
    const watch = await server.post('/v1/watches', { name: 'Mine', zpids: ['1'] }, { key })
    await run('watches', 'pause', watch.json.data.id)
    const body = { urls: ['https://www.zillow.com/homedetails/1_zpid/'] }
    const job = (await server.post('/v1/properties/batch', body, { key })).json.data.job_id
    const hook = await server.post(
      '/v1/webhooks',
      { url: 'http://127.0.0.1:9099/hook', events: ['job.aborted'] },
      { key },
    )
    expect(hook.status, hook.text).toBe(201)
    await run('jobs', 'abort', job, '--yes')
    const rotated = await run('webhooks', 'rotate-secret', hook.json.data.id)
    const { rows } = await db().query<{ id: string }>(
      'select id from webhook_events order by id desc limit 1',
    )
    await db().query(`update webhook_deliveries set state = 'dropped', ended_at = now()`)
    await run('webhooks', 'redeliver', rows[0]!.id)
    await run('listings', 'remove', '1')

    const trail = (await readTrail(db(), { limit: 100 })).reverse()
    const actions = trail.map(({ action }) => action)
    expect(actions.slice(actions.indexOf('listings.import'))).toEqual([
      'listings.import',
      'areas.import',
      'areas.remove',
      'sources.add',
      'sources.pause',
      'sources.resume',
      'sources.sync',
      'sources.sync',
      'sources.remove',
      'sources.add',
      'sources.sync',
      'sources.sync',
      'credits.refund',
      'watches.pause',
      'jobs.abort',
      'webhooks.rotate-secret',
      'webhooks.redeliver',
      'listings.remove',
    ])
    const entry = (action: string) => trail.find((one) => one.action === action)!
    expect(entry('listings.import')).toMatchObject({
      object: 'homes',
      before: null,
      after: { read: 2, inserted: 1, rejected: 1 },
    })
    expect(entry('sources.pause')).toMatchObject({ object: 'nightly', before: { paused_at: null } })
    const runs = trail.filter(({ action }) => action === 'sources.sync')
    expect(runs.map(({ object, after }) => [object, after])).toEqual([
      ['nightly', { outcome: 'started', full: false }],
      ['nightly', expect.objectContaining({ outcome: 'synced', read: 2 })],
      ['gone', { outcome: 'started', full: true }],
      ['gone', { outcome: 'failed', reason: expect.stringMatching(/./) }],
    ])
    expect(entry('sources.remove')).toMatchObject({ before: { kind: 'file' }, after: null })
    expect(entry('credits.refund')).toMatchObject({
      before: { balance: 9_999 },
      after: { balance: 10_000, refunded: 1, request },
    })
    expect(entry('watches.pause')).toMatchObject({
      before: { status: 'active' },
      after: { status: 'paused' },
    })
    expect(entry('jobs.abort')).toMatchObject({ before: { status: 'queued' }, after: { status: 'aborted' } })
    expect(entry('listings.remove')).toMatchObject({ before: { listings: 1 }, after: null })
    expect(JSON.stringify(trail)).not.toContain(rotated.secret)
  })

  it("records the operating system's user by default, and the operator of a console link", async () => {
    const { url } = await jsonOf(lotline, 'console', 'link', '--name', 'Bea')
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:9911\/link\/[\w-]{43}$/)
    const [entry] = await readTrail(db(), { limit: 1 })
    expect(entry).toMatchObject({ operator: userInfo().username, action: 'console.link', object: 'Bea' })
    const off = await lotlineWith({ DATABASE_URL: testDatabase.url })('console', 'link')
    expect(off).toMatchObject({ code: 1, stderr: expect.stringContaining('Set ADMIN_PORT') })
  })

  it('records a change if and only if the change is committed', async () => {
    const { accountId } = await server.openAccount()
    const ana = { name: 'Ana', via: 'command' } as const
    const failed = runAsOperator(db(), ana, async ({ database, note }) => {
      await note({ action: 'accounts.suspend', accountId })
      await suspendAccount(database, accountId)
      throw new Error('broken')
    })
    await expect(failed).rejects.toThrow('broken')
    await expect(setStatus(db(), { ...ana, name: '' }, accountId, 'suspended')).rejects.toThrow(
      'check constraint',
    )
    // It already has this plan.
    await setPlan(db(), ana, accountId, { plan: 'custom' })
    const { rows } = await db().query('select status from accounts where id = $1', [accountId])
    expect(rows).toEqual([{ status: 'active' }])
    expect(await readTrail(db(), { account: accountId, limit: 1 })).toEqual([])
  })

  it('joins a transaction that can partly fail', async () => {
    const { accountId } = await server.openAccount()
    await db().transaction(async (tx) => {
      const joined = joinTransaction(db(), tx)
      await joined
        .transaction(async (inner) => {
          await inner.query(`update accounts set email = 'lost@example.com' where id = $1`, [accountId])
          throw new Error('undone')
        })
        .catch(() => {})
      await joined.transaction((inner) =>
        inner.query('update accounts set rate_limit_per_minute = 7 where id = $1', [accountId]),
      )
    })
    const { rows } = await db().query('select email, rate_limit_per_minute from accounts where id = $1', [
      accountId,
    ])
    expect(rows).toEqual([{ email: null, rate_limit_per_minute: 7 }])
  })

  it('has a row for every command with an operator', async () => {
    const { accountId, keyId } = await server.openAccount()
    const order = () =>
      db().query<{ id: string }>(
        `insert into purchases (account_id, kind, item, credits, price, currency, payment, key_id)
         values ($1, 'pack', 'small', 500, 2500, 'usd', 'manual', $2) returning id`,
        [accountId, keyId],
      )
    for (const verb of ['approve', 'refuse']) await run('purchases', verb, (await order()).rows[0]!.id)
    const withEnv = (env: Record<string, string>) => lotlineWith({ DATABASE_URL: testDatabase.url, ...env })
    // An order whose page at Stripe has expired, without an event.
    const { id } = (await order()).rows[0]!
    await db().query(`update purchases set payment = 'stripe', checkout = 'cs_1' where id = $1`, [id])
    stripe.sessions.push({
      id: 'cs_1',
      url: '',
      payment_intent: 'pi_1',
      status: 'expired',
      form: new URLSearchParams({ 'metadata[purchase_id]': id }),
    })
    const synced = await withEnv({
      BILLING_FILE,
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_API_URL: stripe.url,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      PUBLIC_URL: server.url,
    })('purchases', 'sync', '--operator', 'Ana')
    expect(synced, synced.stderr).toMatchObject({ code: 0 })
    const invited = await withEnv({ PUBLIC_URL: server.url, PORTAL: 'invite' })(
      'portal',
      'invite',
      'guest@example.com',
      '--operator',
      'Ana',
    )
    expect(invited, invited.stderr).toMatchObject({ code: 0 })
    // An old free call.
    await db().query(
      `insert into usage_rows (account_id, id, key_id, request_id, endpoint, operation, actor, status_code, created_at)
       values ($1, 0, $2, 'req_1', '/v1/x', 'getProperty', 'detail', 404, '2024-05-05')`,
      [accountId, keyId],
    )
    await run('credits', 'audit')
    const file = join(await makeTemporaryDirectory(), 'books.zst')
    const archived = await withEnv({})(
      'credits',
      'archive',
      '--before',
      '2024-06',
      '--keep-months',
      '1',
      '--to',
      file,
      '--operator',
      'Ana',
    )
    expect(archived, archived.stderr).toMatchObject({ code: 0 })

    await runOperatorCommands(db(), run)
    await runImportCommands(db(), run, (...args) => lotline(...args, '--operator', 'Ana'))

    // The tests before this one have run the other commands.
    const { rows } = await db().query<{ action: string }>(
      `select distinct action from operator_actions where via = 'command'`,
    )
    const changing = withSubcommands(program()).filter(
      ({ commands, options }) => commands.length === 0 && options.some(({ long }) => long === '--operator'),
    )
    expect(rows.map(({ action }) => action).sort()).toEqual(
      changing.map((command) => nameOf(command).replace(' ', '.')).sort(),
    )
  })
})
