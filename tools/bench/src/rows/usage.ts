// The usage of an account with a million usage rows of two months: its summary by each grouping, and the pages of the portal that show
// it, over HTTP.

import type { Measurement } from '../measurement.ts'
import type { Samples } from '../row.ts'
import { openAccounts } from '../stage.ts'

const ROWS = 1_000_000
const DAYS = 60
const CALLS_A_ROUND = 20
const GROUPINGS = ['day', 'operation', 'key', 'status'] as const
/** Pages of the portal. A period of 90 days has all rows. */
const PAGES = [
  ...GROUPINGS.map((by) => ({ name: `the usage page by ${by}`, path: `/portal/usage?by=${by}&days=90` })),
  { name: 'the page of single calls', path: '/portal/usage/calls' },
  { name: 'the overview', path: '/portal' },
]
const TARGET = { of: 'ours', bound: 'at most', value: 300 } as const

const FILL = `
  insert into usage_rows
    (account_id, key_id, request_id, endpoint, operation, actor, units, status_code, credits_charged, created_at)
  select $1, $2, 'req_' || i, '/v1/properties/1', case i % 5 when 0 then 'listListings' else 'getProperty' end, 'detail',
    0, case i % 7 when 0 then 404 else 200 end, 0, now() - i * ($3::float8 / $4::float8) * interval '1 day'
  from generate_series(1, $4::integer) as i`

export const usage: Measurement = {
  name: 'usage',
  measures: [
    ...GROUPINGS.map((by) => `GET /v1/usage/summary by ${by}, 1,000,000 usage rows, p95`),
    ...PAGES.map(({ name }) => `${name}, 1,000,000 usage rows, p95`),
    'the first summary of an account with 1,000,000 usage rows',
  ].map((name) => ({ name, unit: 'ms', ...(!name.startsWith('the first') && { target: TARGET }) })),
  async run(bench) {
    const { api, database } = await bench.sample()
    const [account] = await openAccounts(database, 1)
    const { accountId, key } = account!
    const { rows } = await database.query<{ id: string }>('select id from api_keys where account_id = $1', [
      accountId,
    ])
    // Nothing of this is charged, so the books stay in order. Nothing is summed yet.
    // It may take longer than a statement of the service may.
    await database.transaction((tx) => tx.query(FILL, [accountId, rows[0]!.id, DAYS, ROWS]), {
      statementTimeoutMs: 0,
    })
    await database.query('vacuum analyze usage_rows')

    const askSummary = async (by: string) => {
      const from = performance.now()
      const response = await fetch(`${api.origin}/v1/usage/summary?by=${by}`, {
        headers: { authorization: `Bearer ${key}` },
      })
      const body = (await response.json()) as { meta: { total: { usage_rows: number } } }
      const tookMs = performance.now() - from
      if (!(body.meta.total.usage_rows >= ROWS)) throw new Error(`the summary has ${JSON.stringify(body)}`)
      return tookMs
    }
    const firstMs = await askSummary('day')
    const cookie = await signIn(api.origin, key)
    const askPage = async (path: string) => {
      const from = performance.now()
      const response = await fetch(api.origin + path, { headers: { cookie } })
      const text = await response.text()
      const tookMs = performance.now() - from
      if (response.status !== 200) throw new Error(`${path} answered with ${response.status}: ${text}`)
      const calls = /credits for ([\d,]+) calls/.exec(text)?.[1]
      if (path.startsWith('/portal/usage?') && !(Number(calls?.replaceAll(',', '')) >= ROWS))
        throw new Error(`${path} shows ${calls} calls`)
      return tookMs
    }

    const samples: Samples[] = []
    for (const ask of [
      ...GROUPINGS.map((by) => () => askSummary(by)),
      ...PAGES.map(
        ({ path }) =>
          () =>
            askPage(path),
      ),
    ]) {
      const ours: number[] = []
      for (let round = 0; round < bench.rounds; round++) ours.push(await p95Of(ask))
      samples.push({ ours })
    }
    return [...samples, { ours: [firstMs] }]
  },
}

async function p95Of(ask: () => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let call = 0; call < CALLS_A_ROUND; call++) times.push(await ask())
  return times.toSorted((a, b) => a - b)[Math.ceil(CALLS_A_ROUND * 0.95) - 1]!
}

/** The cookie of a session in the portal. */
async function signIn(origin: string, key: string): Promise<string> {
  const response = await fetch(`${origin}/portal/session`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ key }),
    redirect: 'manual',
  })
  const cookie = response.headers.get('set-cookie')
  if (response.status !== 303 || !cookie) throw new Error(`the sign-in was answered with ${response.status}`)
  return cookie.split(';', 1)[0]!
}
