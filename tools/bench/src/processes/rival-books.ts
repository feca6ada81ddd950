// The statements of the rival's two ways to meter a call. Both check the key, take a credit from its account, write a
// usage row and commit before the answer; neither keeps a ledger, holds or a queue for each key. They are written as
// somebody would who knows PostgreSQL: prepared, by primary keys, locks taken last.

import type { Pool, PoolClient } from 'pg'

export interface RivalCall {
  readonly keyHash: Buffer
  readonly requestId: string
  readonly zpid: string
}

export type MeterResult =
  | { readonly verdict: 'charged'; readonly balance: string }
  | { readonly verdict: 'unknown key' | 'no credits' }
  | { readonly verdict: 'no such home' }

export interface Books {
  /** The record is looked up before anything is charged. */
  meter(call: RivalCall): Promise<MeterResult & { readonly record?: string | undefined }>
}

const ENDPOINT = 'GET /v1/properties/{zpid}'

/** A transaction of four statements: six turns between the process and PostgreSQL. */
export function booksByTransaction(pool: Pool, schema: string): Books {
  const statements = {
    account: {
      name: 'account',
      text: `select account_id, balance from ${schema}.api_keys join ${schema}.accounts on id = account_id where hash = $1`,
    },
    record: { name: 'record', text: 'select record from listings where zpid = $1' },
    usage: {
      name: 'usage',
      text: `insert into ${schema}.usage_rows (account_id, request_id, endpoint, credits) values ($1, $2, $3, 1)`,
    },
    charge: {
      name: 'charge',
      text: `update ${schema}.accounts set balance = balance - 1 where id = $1 and balance > 0 returning balance`,
    },
  }
  async function meterOn(client: PoolClient, { keyHash, requestId, zpid }: RivalCall) {
    const [account] = (await client.query({ ...statements.account, values: [keyHash] })).rows
    if (!account) return { verdict: 'unknown key' } as const
    const [home] = (await client.query({ ...statements.record, values: [zpid] })).rows
    if (!home) return { verdict: 'no such home' } as const
    await client.query({ ...statements.usage, values: [account.account_id, requestId, ENDPOINT] })
    const [charged] = (await client.query({ ...statements.charge, values: [account.account_id] })).rows
    if (!charged) return { verdict: 'no credits' } as const
    return { verdict: 'charged', balance: charged.balance as string, record: home.record as string } as const
  }
  return {
    async meter(call) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const outcome = await meterOn(client, call)
        await client.query(outcome.verdict === 'charged' ? 'commit' : 'rollback')
        return outcome
      } finally {
        client.release()
      }
    },
  }
}

/** One statement, which is a transaction by itself: one turn. */
export function booksByStatement(pool: Pool, schema: string): Books {
  const text = `
    with caller as (select account_id from ${schema}.api_keys where hash = $1),
    charged as (
      update ${schema}.accounts set balance = balance - 1
        from caller where id = caller.account_id and balance > 0 returning id, balance
    ),
    used as (
      insert into ${schema}.usage_rows (account_id, request_id, endpoint, credits)
        select id, $2, $3, 1 from charged
    )
    select account_id, (select balance from charged) as balance from caller`
  return {
    async meter({ keyHash, requestId }) {
      const { rows } = await pool.query({ name: 'meter', text, values: [keyHash, requestId, ENDPOINT] })
      const [caller] = rows
      if (!caller) return { verdict: 'unknown key' }
      return caller.balance === null
        ? { verdict: 'no credits' }
        : { verdict: 'charged', balance: caller.balance as string }
    },
  }
}
