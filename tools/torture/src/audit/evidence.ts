// What the auditor judges by: the record of the run, the books as the database has them, and what the processes left
// behind. It is read with statements of the auditor's own, and shares no code with the service.

import { join } from 'node:path'
import pg from 'pg'
import { nowMs } from '../clock.ts'
import type { Feed } from '../feed/feed.ts'
import { type Records, readLogs } from '../log.ts'
import type { Accounts } from '../set/accounts.ts'
import type { Secrets } from '../set/settings.ts'
import type { TortureSet } from '../set/torture-set.ts'
import { type BookQuery, type Books, readBooks } from './books.ts'
import { type FeedEvidence, readFeedEvidence } from './feed-evidence.ts'

export interface Evidence {
  readonly kind: TortureSet['kind']
  readonly records: Records
  readonly books: Books
  readonly query: BookQuery
  /** Texts that may stand nowhere in the open: what each is, and itself. */
  readonly secrets: readonly { readonly what: string; readonly text: string }[]
  /** Secrets of webhooks, by the path at their receiver. */
  readonly hookSecrets: ReadonlyMap<string, string>
  readonly outputs: readonly string[]
  readonly dataDirectories: readonly string[]
  /** What is to be added to a moment of the record to get the wall clock's. */
  readonly wallClockOffsetMs: number
  /** Of the service over a data set that ran beside this one. */
  readonly feed: FeedEvidence
  lotline(...args: string[]): Promise<unknown>
  close(): Promise<void>
}

export async function openEvidence(options: {
  readonly directory: string
  readonly set: TortureSet
  readonly accounts: Accounts
  readonly secrets: Secrets
  readonly hookSecrets: ReadonlyMap<string, string>
  readonly newKeys: ReadonlyMap<string, string>
  readonly feed: Feed
}): Promise<Evidence> {
  const { directory, set, accounts, secrets, hookSecrets, newKeys, feed } = options
  const { query, close } = await connect(set.database)
  const keys = [
    ...Object.values(accounts as unknown as Record<string, Accounts['rich']>).flat(),
    ...feed.keys,
  ]
  return {
    kind: set.kind,
    query,
    hookSecrets,
    dataDirectories: set.dataDirectories,
    outputs: [...set.outputs, feed.service.output, feed.remote.output],
    feed: await readFeedEvidence(feed, connect),
    records: await readLogs([join(directory, 'seen.ndjson'), join(directory, 'queries.ndjson')]),
    books: await readBooks(query),
    secrets: [
      ...[...keys.map(({ id, text }) => [id, text] as const), ...newKeys].map(([id, text]) => ({
        what: `the key ${id}`,
        text,
      })),
      ...[...hookSecrets, ...feed.hookSecrets].map(([hook, text]) => ({
        what: `the secret of ${hook}`,
        text,
      })),
      ...Object.entries(secrets).map(([what, text]) => ({ what, text: text as string })),
    ],
    wallClockOffsetMs: Date.now() - nowMs(),
    lotline: set.lotline,
    close,
  }
}

/** A connection whose numbers are numbers and whose instants are milliseconds. */
export async function connect(database: pg.ClientConfig) {
  const client = new pg.Client({ ...database, types: { getTypeParser } })
  await client.connect()
  const query: BookQuery = async <R>(text: string, values: readonly unknown[] = []) =>
    (await client.query(text, [...values])).rows as R[]
  return { query, close: () => client.end() }
}

const INT8 = 20
const TIMESTAMPTZ = 1184

function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === INT8) return Number
  if (oid === TIMESTAMPTZ) return Date.parse
  return pg.types.getTypeParser(oid, format as 'text')
}
