// A REPLICATED SOURCE of the feed's data set: a server of the RESO Web API, as a process, whose records change and whose
// answers go wrong, and a connected source that follows it while its readers are killed. In the end, the data set must have
// what the server has.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addSource } from '@lotline/api/data/replication/source-store.ts'
import type { Database } from '@lotline/api/infrastructure/database/database.ts'
import type { Random } from '../random.ts'
import { type Child, startChild } from '../set/child.ts'
import { freePort } from '../set/free-port.ts'
import { until } from '../set/until.ts'
import type { ReplicaRecord } from './records.ts'

const SERVER = new URL('../../../../apps/api/test/setup/reso-server/main.ts', import.meta.url)
export const REPLICA = 'replica'
const RECORDS = 150
const PAGE = 20
const START_LIMIT_MS = 30_000

/** What can be wrong with an answer of the server, and what passes with the next answer. */
const BRIEF = [
  { kind: 'reset' },
  { kind: 'truncate' },
  { kind: 'malformed' },
  { kind: 'html' },
  { kind: 'repeat-link' },
  { kind: 'other-origin', origin: 'http://127.0.0.1:9' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 410 },
] as const
/** After a 429 the service is silent for a minute: most of a short run. */
const FAULTS = {
  none: [],
  brief: BRIEF,
  all: [...BRIEF, { kind: 'status', status: 429, headers: { 'retry-after': '1' } }],
} as const

export type ReplicaFaults = keyof typeof FAULTS

const FIND_HOMES = `
  select i.source_key as key, l.zpid from listings l join record_identities i on i.zpid = l.zpid and i.source = l.source
  where l.source = $1 and i.source_key <> l.zpid order by l.zpid`

export interface ReplicaHome {
  readonly key: string
  readonly zpid: string
  readonly address: string
}

export interface Replica {
  /** Changes some of the server's records, may spoil one of its next answers, and has the source read soon. */
  turn(): Promise<void>
  /** The homes of the source that the data set has. If it has none, the source is read to its end first. */
  homes(limitMs: number): Promise<readonly ReplicaHome[]>
  /** Forbids to show some of the records, and the addresses of others. */
  restrict(): Promise<void>
  /** Repairs the server, and waits until the source was read to its end. Resolves with what the server has. */
  finish(limitMs: number): Promise<readonly ReplicaRecord[]>
  stop(): Promise<void>
}

/** @param retry repeats work while PostgreSQL is away */
export async function startReplica(
  directory: string,
  database: Database,
  random: Random,
  faults: ReplicaFaults,
  retry: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<Replica> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const server: Child = startChild(SERVER, {
    args: ['--port', String(port)],
    env: {},
    output: join(directory, 'replica.out'),
  })
  async function order(method: string, path: string, body?: unknown): Promise<void> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    await fetch(`${origin}/control/${path}`, { method, ...sent })
  }
  const isUp = await until(
    () =>
      order('PUT', 'options', { maxPage: PAGE }).then(
        () => true,
        () => false,
      ),
    START_LIMIT_MS,
  )
  if (!isUp) throw new Error('the server of the replicated source did not start')

  const prices = new Map<string, number>()
  async function put(keys: readonly string[], deletes: number): Promise<void> {
    const records = keys.map((key) => {
      const price = random.int(100, 900) * 1_000
      const isDeleted = random.chance(deletes)
      if (isDeleted) prices.delete(key)
      else prices.set(key, price)
      return record(key, price, isDeleted ? 'Delete' : 'Active')
    })
    await order('PUT', 'records', records)
  }
  const keys = Array.from({ length: RECORDS }, (_, at) => `R${at}`)
  await put(keys, 0)
  const settings = { kind: 'reso', url: `${origin}/odata`, profile: 'generic' } as const
  await retry(() => addSource(database, REPLICA, settings, 60))
  const makeDue = () =>
    retry(() => database.query('update connected_sources set due_at = now() where name = $1', [REPLICA]))

  async function readToTheEnd(limitMs: number): Promise<void> {
    const { rows } = await retry(() => database.query<{ now: Date }>('select now()'))
    const values = [REPLICA, rows[0]!.now]
    const ended = 'select from connected_sources where name = $1 and synced_at > $2 and failures = 0'
    await until(async () => {
      if ((await retry(() => database.query(ended, values))).rowCount === 1) return true
      await makeDue()
      await sleep(200)
      return false
    }, limitMs)
  }

  return {
    async homes(limitMs) {
      const find = () => retry(() => database.query<{ key: string; zpid: string }>(FIND_HOMES, [REPLICA]))
      // After a fault, the next run may be due in an hour.
      if ((await find()).rows.length === 0) {
        await order('DELETE', 'fault')
        await readToTheEnd(limitMs)
      }
      return (await find()).rows.map(({ key, zpid }) => ({
        key,
        zpid,
        address: `${streetOf(key)}d, Bath, ME 04530`,
      }))
    },
    async restrict() {
      const records = [...prices].map(([key, price], at): object => {
        if (at % 5 === 0) prices.delete(key)
        const rights = {
          InternetEntireListingDisplayYN: at % 5 !== 0,
          InternetAddressDisplayYN: at % 5 !== 1,
        }
        return { ...record(key, price, 'Active'), ...rights }
      })
      await order('PUT', 'records', records)
    },
    async turn() {
      const changed = keys.filter(() => random.chance(0.1))
      await put(changed, 0.2)
      const possible: readonly object[] = FAULTS[faults]
      if (possible.length > 0)
        await order('PUT', 'fault', { fault: random.pick(possible), after: random.int(0, 3) })
      await makeDue()
    },
    async finish(limitMs) {
      await order('DELETE', 'fault')
      // A run that is under way may have passed the last change. The one after it has not.
      for (let run = 0; run < 2; run++) await readToTheEnd(limitMs)
      return [...prices].map(([key, price]) => ({ key, price }))
    },
    stop: () => server.stop(),
  }
}

/** The beginning of the street line of a record, however its suffix is written. */
export const streetOf = (key: string) => `${100 + Number(key.slice(1))} Bay R`

/** Far from the homes that the watches see. */
function record(key: string, price: number, status: string): object {
  const at = Number(key.slice(1))
  return {
    ListingKey: key,
    StandardStatus: status,
    ListPrice: price,
    PropertyType: 'Residential',
    StreetNumber: String(100 + at),
    StreetName: 'Bay',
    StreetSuffix: 'Rd',
    City: 'Bath',
    StateOrProvince: 'ME',
    PostalCode: '04530',
    Latitude: 43.9,
    Longitude: -69.8,
    ListOfficeName: 'Bay Realty',
    OriginatingSystemName: 'Replica MLS',
    ModificationTimestamp: new Date().toISOString(),
  }
}
