// The evidence of the feed (src/feed): what was imported, what readers and receivers saw, and the rows of its database.

import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import type { DataService } from '../feed/data-service.ts'
import type { Feed } from '../feed/feed.ts'
import type { FeedRecord, FeedRecords } from '../feed/records.ts'
import { REPLICA } from '../feed/replica.ts'
import type { BookQuery } from './books.ts'

/** A row of the change log. */
export interface LoggedChange {
  readonly seq: number
  readonly version: number
  readonly zpid: string
  readonly before: LoggedFacts | null
  readonly after: LoggedFacts | null
}

export interface LoggedFacts {
  readonly kind: string
  readonly price: number | null
  readonly beds: number | null
  readonly is_pending: boolean
}

export interface WatchRow {
  readonly account_id: string
  readonly id: string
  readonly status: string
  readonly is_current: boolean
  readonly last_seq: number
}

export interface WatchEventRow {
  readonly account_id: string
  readonly watch_id: string
  readonly seq: number
  readonly id: string
  readonly type: string
  readonly zpid: string
}

export interface FeedBooks {
  readonly changes: LoggedChange[]
  /** The number of the last change that was evaluated. */
  readonly position: number
  readonly listings: { readonly zpid: string; readonly status: string; readonly price: number | null }[]
  /** What the data set has of the replicated source, by the keys of its server. */
  readonly replica: { readonly key: string; readonly price: number | null; readonly kind: string }[]
  /** Homes of the replicated source that may not be shown any more, or whose address may not. */
  readonly withheld: {
    readonly key: string
    readonly zpid: string
    readonly what: 'address' | 'listing'
  }[]
  readonly watches: WatchRow[]
  readonly homes: {
    readonly watch_id: string
    readonly zpid: string
    readonly status: string
    readonly price: number | null
  }[]
  readonly events: WatchEventRow[]
  readonly usage: {
    readonly account_id: string
    readonly request_id: string
    readonly endpoint: string
    readonly units: number
    readonly credits_charged: number
  }[]
  readonly postings: {
    readonly account_id: string
    readonly id: number
    readonly kind: string
    readonly amount: number
    readonly request_id: string | null
  }[]
  readonly accounts: { readonly id: string; readonly balance: number }[]
  /** Webhook events of the type watch.changes, as they were written to be sent. */
  readonly sent: { readonly account_id: string; readonly id: string; readonly data: string }[]
  readonly deliveries: { readonly event_id: string; readonly state: string; readonly url: string }[]
}

export interface FeedEvidence {
  readonly records: FeedRecords
  readonly books: FeedBooks
  /** Of the service over a remote data source, which has no data set. */
  readonly remote: FeedBooks
  lotline(...args: string[]): Promise<unknown>
}

const FACTS = (column: string) =>
  `case when ${column} is distinct from null then jsonb_build_object('kind', (${column}).kind, 'price', (${column}).price,
     'beds', (${column}).beds, 'is_pending', (${column}).is_pending) end as ${column}`

async function readFeedBooks(query: BookQuery): Promise<FeedBooks> {
  const [progress] = await query<{ position: number }>('select position from watch_progress')
  return {
    changes: await query(
      `select seq, version, zpid, ${FACTS('before')}, ${FACTS('after')} from listing_changes
       where source <> $1 order by seq`,
      [REPLICA],
    ),
    position: progress!.position,
    listings: await query(
      `select zpid, record::json ->> 'homeStatus' as status, price from listings where source <> $1`,
      [REPLICA],
    ),
    replica: await query(
      `select i.source_key as key, l.price, l.kind
       from listings l join record_identities i on i.zpid = l.zpid and i.source = l.source
       where l.source = $1 and i.source_key <> l.zpid`,
      [REPLICA],
    ),
    withheld: await query(
      `select i.source_key as key, w.zpid, w.what
       from withheld_homes w join record_identities i on i.zpid = w.zpid and i.source_key <> w.zpid
       where i.source = $1`,
      [REPLICA],
    ),
    watches: await query('select account_id, id, status, is_current, last_seq from watches'),
    homes: await query('select watch_id, zpid, status, price from watch_homes where left_at is null'),
    events: await query(
      'select account_id, watch_id, seq, id, type, zpid from watch_events order by watch_id, seq',
    ),
    usage: await query('select account_id, request_id, endpoint, units, credits_charged from usage_rows'),
    postings: await query(
      'select account_id, id, kind, amount, request_id from postings order by account_id, id',
    ),
    accounts: await query('select id, balance from accounts'),
    sent: await query(`select account_id, id, data from webhook_events where type = 'watch.changes'`),
    deliveries: await query(
      'select d.event_id, d.state, w.url from webhook_deliveries d join webhooks w on w.id = d.webhook_id',
    ),
  }
}

/** Reads all of it. `connect` opens a connection whose numbers are numbers. */
export async function readFeedEvidence(
  { service, remote, log, lotline }: Feed,
  connect: (database: pg.ClientConfig) => Promise<{ readonly query: BookQuery; close(): Promise<void> }>,
): Promise<FeedEvidence> {
  async function read({ database }: DataService): Promise<FeedBooks> {
    const { query, close } = await connect(database)
    try {
      return await readFeedBooks(query)
    } finally {
      await close()
    }
  }
  return { records: await readRecords(log), books: await read(service), remote: await read(remote), lotline }
}

async function readRecords(file: string): Promise<FeedRecords> {
  const records: FeedRecords = {
    change: [],
    created: [],
    events: [],
    replicated: [],
    shown: [],
    delivery: [],
    remoteCreated: [],
    remoteSearch: [],
    remoteEvents: [],
  }
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const record = JSON.parse(line) as FeedRecord
    ;(records[record.kind] as FeedRecord[]).push(record)
  }
  return records
}
