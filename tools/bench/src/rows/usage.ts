// The usage summary of an account with a million usage rows of two months, by each grouping.

import type { Measurement } from '../measurement.ts'
import type { Samples } from '../row.ts'
import { openAccounts } from '../stage.ts'

const ROWS = 1_000_000
const DAYS = 60
const CALLS_A_ROUND = 20
const GROUPINGS = ['day', 'operation', 'key', 'status']

const FILL = `
  insert into usage_rows
    (account_id, key_id, request_id, endpoint, operation, actor, units, status_code, credits_charged, created_at)
  select $1, $2, 'req_' || i, '/v1/properties/1', case i % 5 when 0 then 'listListings' else 'getProperty' end, 'detail',
    0, case i % 7 when 0 then 404 else 200 end, 0, now() - i * ($3::float8 / $4::float8) * interval '1 day'
  from generate_series(1, $4::integer) as i`

export const usage: Measurement = {
  name: 'usage',
  measures: GROUPINGS.map((by) => ({
    name: `GET /v1/usage/summary by ${by}, 1,000,000 usage rows, p95`,
    unit: 'ms',
    target: { of: 'ours', bound: 'at most', value: 300 },
  })),
  async run(bench) {
    const { api, database } = await bench.sample()
    const [account] = await openAccounts(database, 1)
    const { accountId, key } = account!
    const { rows } = await database.query<{ id: string }>('select id from api_keys where account_id = $1', [
      accountId,
    ])
    // Nothing of this is charged, so the books stay in order. Nothing is summed yet, so no sums need a correction.
    // It may take longer than a statement of the service may.
    await database.transaction((tx) => tx.query(FILL, [accountId, rows[0]!.id, DAYS, ROWS]), {
      statementTimeoutMs: 0,
    })
    await database.query('vacuum analyze usage_rows')
    const ask = async (by: string) => {
      const from = performance.now()
      const response = await fetch(`${api.origin}/v1/usage/summary?by=${by}`, {
        headers: { authorization: `Bearer ${key}` },
      })
      const body = (await response.json()) as { meta: { total: { usage_rows: number } } }
      const tookMs = performance.now() - from
      if (body.meta.total.usage_rows < ROWS) throw new Error(`the summary has ${JSON.stringify(body.meta)}`)
      return tookMs
    }
    const firstMs = await ask('day')
    const note = `the first summary, which sums all rows: ${Math.round(firstMs)} ms`
    const samples: Samples[] = []
    for (const by of GROUPINGS) {
      const ours: number[] = []
      for (let round = 0; round < bench.rounds; round++) {
        const times: number[] = []
        for (let call = 0; call < CALLS_A_ROUND; call++) times.push(await ask(by))
        ours.push(times.toSorted((a, b) => a - b)[Math.ceil(CALLS_A_ROUND * 0.95) - 1]!)
      }
      samples.push({ ours, note })
    }
    return samples
  },
}
