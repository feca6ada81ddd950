import { describe, expect, it } from 'vitest'
import { placeHold } from '../../../src/money/credits/holds.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { makeJob } from '../../work/jobs/made-jobs.ts'
import { jsonOf, lotlineWith } from './run-lotline.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const lotline = (...args: readonly string[]) => lotlineWith({ DATABASE_URL: testDatabase.url })(...args)

/** The status of a call, which must be reached within a second. */
function answer(key: string) {
  return expect.poll(async () => (await server.get('/v1/me', { key })).code ?? 'welcome')
}

describe('lotline accounts', () => {
  it('create opens an account that can call immediately', async () => {
    const opened = await jsonOf(
      lotline,
      'accounts',
      'create',
      '--plan',
      'monthly',
      '--email',
      'ana@example.com',
    )
    expect(Object.keys(opened).sort()).toEqual(['account_id', 'key', 'key_id'])
    const me = await server.get('/v1/me', { key: opened.key })
    expect(me.json.data).toMatchObject({
      id: opened.account_id,
      email: 'ana@example.com',
      plan_id: 'monthly',
    })
    const ran = await lotline('accounts', 'create', '--plan', 'custom', '--credits', '7', '--rate', '3')
    expect(ran.stdout).toMatch(/^account {2}\S+\nkey id {3}\S+\nkey {6}lot_\S+\n\nKeep the key now/)
  })

  it('list shows accounts, newest first, and filters them', async () => {
    const { account_id } = await jsonOf(
      lotline,
      'accounts',
      'create',
      '--plan',
      'annual',
      '--email',
      'bo@example.org',
    )
    const all = await jsonOf(lotline, 'accounts', 'list')
    expect(all[0]).toMatchObject({ account_id, balance: 12_000, held: 0, live_keys: 1, status: 'active' })
    expect(
      await jsonOf(lotline, 'accounts', 'list', '--email', 'BO@example', '--plan', 'annual'),
    ).toHaveLength(1)
    expect(await jsonOf(lotline, 'accounts', 'list', '--limit', '1')).toHaveLength(1)
    const { stdout } = await lotline('accounts', 'list', '--plan', 'annual')
    expect(stdout).toMatch(/^ACCOUNT +EMAIL +PLAN +STATUS +BALANCE +HELD +KEYS +RENEWS +CREATED\n/)
    expect(stdout).toMatch(new RegExp(`^${account_id} +bo@example.org +annual +active +12000 +0 +1 +`, 'm'))
    expect((await lotline('accounts', 'list', '--status', 'suspended')).stdout).toContain('There are none.')
  })

  it('suspend blocks calls and resume allows them, within a second', async () => {
    const { account_id, key } = await jsonOf(lotline, 'accounts', 'create', '--plan', 'monthly')
    await answer(key).toBe('welcome')
    expect(await jsonOf(lotline, 'accounts', 'suspend', account_id)).toEqual({
      account_id,
      status: 'suspended',
    })
    await answer(key).toBe('account_suspended')
    expect((await jsonOf(lotline, 'accounts', 'show', account_id)).status).toBe('suspended')
    await jsonOf(lotline, 'accounts', 'resume', '--account', account_id)
    await answer(key).toBe('welcome')
  })

  it('set-plan says when a change takes effect', async () => {
    const { account_id, key } = await jsonOf(lotline, 'accounts', 'create', '--plan', 'free')
    const up = await jsonOf(
      lotline,
      'accounts',
      'set-plan',
      account_id,
      '--plan',
      'annual',
      '--deny',
      'getJob,getAccount',
    )
    expect(up).toMatchObject({
      takes_effect: 'at once',
      new_cycle: true,
      account: { plan: 'annual', balance: 12_000 },
    })
    await answer(key).toBe('plan_not_allowed')
    const tuned = await jsonOf(
      lotline,
      'accounts',
      'set-plan',
      account_id,
      '--plan',
      'annual',
      '--deny-nothing',
    )
    expect(tuned).toMatchObject({
      takes_effect: 'at once',
      new_cycle: false,
      account: { denied_operations: [] },
    })
    const down = await jsonOf(lotline, 'accounts', 'set-plan', '--account', account_id, '--plan', 'monthly')
    expect(down).toMatchObject({ takes_effect: 'at the end of the cycle', new_cycle: false })
    expect(down.effective_at).toBe(down.account.renews_at)
    const { stdout } = await lotline('accounts', 'show', account_id)
    expect(stdout).toMatch(/^plan +annual, 12000 credits, 300 requests a minute$/m)
    expect(stdout).toMatch(/^then +monthly, 1000 credits, 200 requests a minute$/m)
    expect(stdout).toMatch(/^KEY ID +NAME +ENDS IN +STATE/m)
    const now = await lotline('accounts', 'set-plan', account_id, '--plan', 'monthly', '--now')
    expect(now.stdout).toContain('Changed at once, with a new cycle and its grant.')
    expect(now.stdout).toMatch(/^balance +1000 credits, 1000 available, 0 held by jobs$/m)
  })

  it('every verb reports an unknown account', async () => {
    const id = crypto.randomUUID()
    for (const args of [
      ['accounts', 'show', id],
      ['accounts', 'suspend', id],
      ['accounts', 'resume', id],
      ['accounts', 'set-plan', id, '--plan', 'free'],
      ['keys', 'create', id],
      ['keys', 'list', id],
      ['credits', 'topup', '--account', id, '--amount', '1'],
      ['credits', 'adjust', '--account', id, '--amount', '1', '--reason', 'none'],
    ]) {
      const ran = await lotline(...args)
      expect([ran.code, ran.stderr], args.join(' ')).toEqual([1, `lotline: There is no account ${id}.\n`])
    }
  })
})

describe('lotline keys', () => {
  it('create adds a key, and list shows all keys without a secret', async () => {
    const { account_id, key_id } = await jsonOf(
      lotline,
      'accounts',
      'create',
      '--plan',
      'monthly',
      '--email',
      'c@example.com',
    )
    const issued = await jsonOf(
      lotline,
      'keys',
      'create',
      '--account',
      account_id,
      '--oauth-client',
      'Some Assistant',
    )
    const me = await server.get('/v1/me', { key: issued.key })
    expect(me.json.data.id).toBe(account_id)
    expect(me.json.data).not.toHaveProperty('email')
    const keys = await jsonOf(lotline, 'keys', 'list', account_id)
    expect(keys).toMatchObject([
      { key_id, oauth_client: null, revoked: false },
      { key_id: issued.key_id, oauth_client: 'Some Assistant', last4: issued.key.slice(-4) },
    ])
    expect(JSON.stringify(keys)).not.toContain(issued.key)
    expect((await lotline('keys', 'list', account_id)).stdout).toMatch(/ live .+Some Assistant /)
  })

  it('revoke asks for confirmation, and then is permanent within a second', async () => {
    const { key, key_id, account_id } = await jsonOf(lotline, 'accounts', 'create', '--plan', 'monthly')
    await answer(key).toBe('welcome')
    const asked = await lotline('keys', 'revoke', key_id)
    expect([asked.code, asked.stdout]).toEqual([2, ''])
    expect(asked.stderr).toContain('cannot be brought back. Add --yes to do it.')
    await answer(key).toBe('welcome')
    expect(await jsonOf(lotline, 'keys', 'revoke', key_id, '--yes')).toEqual({ key_id, revoked: true })
    await answer(key).toBe('invalid_api_key')
    expect((await lotline('keys', 'list', account_id)).stdout).toMatch(/ revoked 2\d{3}-/)
  })

  it('revoke accepts the full text of a key, and never repeats it', async () => {
    const { key } = await jsonOf(lotline, 'accounts', 'create', '--plan', 'monthly')
    const ran = await lotline('keys', 'revoke', key, '--yes')
    expect(ran.code).toBe(0)
    expect(ran.stdout + ran.stderr).not.toContain(key)
    await answer(key).toBe('invalid_api_key')
    const { key: unknown } = await import('../../../src/money/accounts/keys.ts').then(({ createApiKey }) => ({
      key: createApiKey(),
    }))
    const missing = await lotline('keys', 'revoke', unknown, '--yes')
    expect([missing.code, missing.stderr]).toEqual([1, 'lotline: There is no such key.\n'])
  })

  it('create and update set a credit limit, list shows it, and update removes it', async () => {
    const { account_id } = await jsonOf(lotline, 'accounts', 'create', '--plan', 'custom')
    const limit = ['--credit-limit', '500', '--per', 'month']
    const issued = await jsonOf(lotline, 'keys', 'create', account_id, ...limit)
    expect(issued.credit_limit).toEqual({ credits: 500, per: 'month' })
    const update = (...options: string[]) => lotline('keys', 'update', issued.key_id, ...options)
    expect((await update('--credit-limit', '20', '--per', 'day')).stdout).toMatch(
      /is 20 per day, of which 0 are used/,
    )
    expect((await lotline('keys', 'list', account_id)).stdout).toMatch(/ 20 per day +0 /)
    expect((await update('--credit-limit', '20')).code).toBe(1)
    expect((await update('--credit-limit', '20', '--per', 'year')).code).toBe(2)
    expect((await update()).stderr).toMatch(/Nothing to change/)
    expect((await update('--no-credit-limit')).stdout).toMatch(/has no credit limit/)
    const listed = await jsonOf(lotline, 'keys', 'list', account_id)
    expect(listed.map(({ credit_limit }: { credit_limit: unknown }) => credit_limit)).toEqual([null, null])
  })

  it('rotate replaces a key with a new one, immediately or after a delay', async () => {
    const { key, key_id, account_id } = await jsonOf(lotline, 'accounts', 'create', '--plan', 'monthly')
    const graced = await jsonOf(lotline, 'keys', 'rotate', key_id, '--grace-minutes', '60')
    expect(graced).toMatchObject({ account_id, old_key_id: key_id })
    await answer(key).toBe('welcome')
    await answer(graced.key).toBe('welcome')
    expect((await lotline('keys', 'list', account_id)).stdout).toMatch(/ live until 2\d{3}-/)
    const rotated = await jsonOf(lotline, 'keys', 'rotate', graced.key_id)
    await answer(graced.key).toBe('invalid_api_key')
    await answer(rotated.key).toBe('welcome')
    const again = await lotline('keys', 'rotate', graced.key_id)
    expect([again.code, again.stderr]).toEqual([
      1,
      `lotline: The key ${graced.key_id} is revoked already. Issue another with \`lotline keys create\`.\n`,
    ])
  })
})

describe('lotline credits', () => {
  it('topup adds credits that are usable within a second; the free plan allows no topup', async () => {
    const { account_id, key } = await jsonOf(lotline, 'accounts', 'create', '--plan', 'monthly')
    expect((await server.get('/v1/me', { key })).remaining).toBe(1_000)
    const topped = await jsonOf(lotline, 'credits', 'topup', '--account', account_id, '--amount', '500')
    expect(topped).toEqual({ account_id, added: 500, balance: 1_500, held: 0 })
    await expect.poll(async () => (await server.get('/v1/me', { key })).remaining).toBe(1_500)
    const { stdout } = await lotline('credits', 'history', account_id)
    expect(stdout).toMatch(/^AT +KIND +CREDITS +HELD +BALANCE/)
    expect(stdout).toMatch(/ topup +500 +0 +1500 [^\n]*\n[^\n]* grant +1000 +0 +1000 /)
    const { account_id: free } = await jsonOf(lotline, 'accounts', 'create', '--plan', 'free')
    const refused = await lotline('credits', 'topup', '--account', free, '--amount', '1')
    expect([refused.code, refused.stderr]).toEqual([
      1,
      'lotline: The free plan takes no top-ups. Give the account a paid plan first: `lotline accounts set-plan`.\n',
    ])
  })

  it('topup with a reference adds credits once, and reports a repetition', async () => {
    const { account_id } = await jsonOf(lotline, 'accounts', 'create', '--plan', 'monthly')
    const topup = (amount: string) =>
      lotline(
        'credits',
        'topup',
        '--account',
        account_id,
        '--amount',
        amount,
        '--reference',
        'Invoice 7',
        '--reason',
        'Order of May',
        '--operator',
        'Maria',
      )
    expect((await topup('500')).stdout).toMatch(/balance +1500 credits/)
    const [again, other] = await Promise.all([topup('500'), topup('600')])
    expect([again!.code, again!.stdout]).toEqual([
      0,
      expect.stringMatching(/^Nothing was changed: Maria added 500/),
    ])
    expect([other!.code, other!.stderr]).toEqual([1, expect.stringContaining('for 500 credits, not 600')])
    const { stdout } = await lotline('credits', 'history', account_id)
    expect(stdout.match(/ topup /g)).toHaveLength(1)
    expect(stdout).toMatch(/ topup +500 [^\n]*Order of May +Invoice 7 +Maria/)
  })

  it('refund returns the charge of a call, once', async () => {
    const { account_id, key } = await jsonOf(lotline, 'accounts', 'create', '--plan', 'monthly')
    const charged = await server.get('/v1/listings?bbox=10,50,10.1,50.1', { key })
    expect([charged.status, charged.charged]).toEqual([200, 1])
    const free = await server.get('/v1/me', { key })
    const refund = (request: string) =>
      lotline(
        'credits',
        'refund',
        '--account',
        account_id,
        '--request',
        request,
        '--reason',
        'Wrong area',
        '--operator',
        'Maria',
      )
    const id = charged.headers.get('x-request-id')!
    expect((await refund(id)).stdout).toMatch(/refunded +1 credits\nbalance +1000 credits/)
    expect((await refund(id)).stdout).toMatch(/^Nothing was changed: Maria refunded 1 credits/)
    const none = await refund(free.headers.get('x-request-id')!)
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('was charged nothing')])
    const unknown = await refund('req_01M7WQTJ8S9TQM83XSSSS6YS3C')
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('has no call req_01M7')])
    const { stdout } = await lotline('credits', 'history', account_id)
    expect(stdout).toMatch(new RegExp(` adjust +1 +0 +1000 [^\\n]*Refund of ${id}: Wrong area +– +Maria`))
    expect(await jsonOf(lotline, 'credits', 'audit')).toMatchObject({ clean: true, drift: [] })
  })

  it('adjust adds and removes credits on any plan, with a reason in the history, and never removes held credits', async () => {
    const { account_id, key } = await jsonOf(lotline, 'accounts', 'create', '--plan', 'free')
    const adjust = (amount: string) =>
      lotline('credits', 'adjust', '--account', account_id, '--amount', amount, '--reason', 'Goodwill')
    expect((await adjust('+25')).code).toBe(0)
    await expect.poll(async () => (await server.get('/v1/me', { key })).remaining).toBe(125)
    const { database } = testDatabase
    await placeHold(database, { accountId: account_id, jobId: crypto.randomUUID(), wanted: 20, least: 1 })
    const refused = await adjust('-106')
    expect([refused.code, refused.stderr]).toEqual([
      1,
      'lotline: Only 105 credits can be taken away: the balance is 125, and jobs hold 20.\n',
    ])
    expect((await adjust('-105')).stdout).toMatch(/balance +20 credits, 20 held by jobs/)
    const { stdout } = await lotline('credits', 'history', account_id)
    expect(stdout).toMatch(/ adjust +-105 +0 +20 [^\n]*Goodwill/)
    expect(stdout).toMatch(/ adjust +25 +0 +125 [^\n]*Goodwill/)
    expect(await jsonOf(lotline, 'credits', 'audit')).toMatchObject({ clean: true, drift: [] })
  })

  it('audit exits with 0 if the ledger is consistent, and with 1 otherwise', async () => {
    const clean = await lotline('credits', 'audit')
    expect([clean.code, clean.stderr]).toEqual([0, ''])
    expect(clean.stdout).toMatch(/^Audited \d+ accounts, .*\nEvery credit is accounted for.\n$/)
    expect(await jsonOf(lotline, 'credits', 'audit')).toMatchObject({ clean: true, drift: [] })

    const { account_id } = await jsonOf(lotline, 'accounts', 'create', '--plan', 'monthly')
    const { database } = testDatabase
    await database.query('update accounts set balance = balance + 3 where id = $1', [account_id])
    const drifted = await lotline('credits', 'audit')
    expect(drifted.code).toBe(1)
    expect(drifted.stdout).toContain(
      `DRIFT  balance is postings  account ${account_id}  balance=1003 postings=1000\n`,
    )
    expect(drifted.stderr).toBe('lotline: The ledger has drifted: 2 findings.\n')
    const json = await lotline('credits', 'audit', '--json')
    expect(json.code).toBe(1)
    expect(json.json).toMatchObject({
      clean: false,
      drift: [
        { check: 'balance is postings', accountId: account_id, facts: { balance: 1_003, postings: 1_000 } },
        { check: 'parts within balance', accountId: account_id },
      ],
    })
    await database.query('update accounts set balance = balance - 3 where id = $1', [account_id])
    expect((await lotline('credits', 'audit')).code).toBe(0)
  })

  it('top lists the accounts with the highest use, by each measure', async () => {
    const [busy, quiet] = [await server.openAccount(), await server.openAccount()]
    for (let at = 0; at < 3; at++) await server.get('/v1/me', { key: busy.key })
    // Two homes: a miss is cached, so a second call for the same home would not reach the provider.
    for (const zpid of ['999999999', '999999997'])
      await server.get(`/v1/properties/${zpid}`, { key: busy.key })
    await server.get('/v1/properties/999999998', { key: quiet.key })
    await server.app.providerUsage.write()
    const { database } = testDatabase
    const job = (account: { accountId: string; keyId: string }, rows: number) =>
      makeJob(database, account).then((id) =>
        database.query(
          `insert into job_rows (account_id, job_id, position, body)
           select $1, $2, n, repeat('x', 1000) from generate_series(1, $3::integer) n`,
          [id.accountId, id.jobId, rows],
        ),
      )
    await job(busy, 1)
    await job(quiet, 5)
    await job(quiet, 5)
    const top = async (...args: string[]) =>
      (await jsonOf(lotline, 'accounts', 'top', ...args)).filter(({ account_id }: { account_id: string }) =>
        [busy.accountId, quiet.accountId].includes(account_id),
      )
    const order = [busy.accountId, quiet.accountId]
    const calls = await top('--by', 'calls')
    expect(calls.map((use: { account_id: string }) => use.account_id)).toEqual(order)
    expect(calls[0]).toMatchObject({ calls: 6, failed: 2, jobs: 1, bytes: null, provider: 2 })
    expect(calls[1]).toMatchObject({ calls: 3, failed: 1, jobs: 2, provider: 1 })
    for (const by of ['failed', 'provider'])
      expect((await top('--by', by)).map((use: { account_id: string }) => use.account_id)).toEqual(order)
    for (const by of ['jobs', 'bytes'])
      expect((await top('--by', by)).map((use: { account_id: string }) => use.account_id)).toEqual(
        order.toReversed(),
      )
    expect((await top('--by', 'bytes'))[0].bytes).toBeGreaterThan(10_000)
    await database.query(`update jobs set created_at = now() - interval '2 hours'`)
    expect(await top('--by', 'jobs', '--since', '1h')).toEqual([])
    const wrong = await lotline('accounts', 'top', '--since', 'yesterday')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('30m, 24h, 7d')])
  })
})
