// Watches over a remote data source: a third service, whose provider changes its homes from one search to the next, loses some of
// them, and fails. A search is repeated until it was complete before the homes change again, so what each watch has to report
// follows from the homes of each round alone. The process that searches is killed now and then.

import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { answer, findOperation, refusal } from '@lotline/api/reference-provider/answers.ts'
import { type Fault, send } from '@lotline/api/reference-provider/faults.ts'
import { Listings } from '@lotline/api/reference-provider/listings.ts'
import type { Property } from '@lotline/contract'
import type { WorldKey } from '../clients/world.ts'
import type { Log } from '../log.ts'
import type { Random } from '../random.ts'
import type { FeedForm } from '../schedule.ts'
import { until } from '../set/until.ts'
import type { DataService } from './data-service.ts'
import { callsOf, type FeedCalls } from './feed-calls.ts'
import { type FeedHome, makeHome } from './homes.ts'
import type { FeedRecord, SeenEvent } from './records.ts'
import { REMOTE_WATCHES, type RemoteWatchName } from './watches.ts'

const HOMES = 40
/** Homes that the source loses at once: more than 10, and more than a fifth of them. */
const LOST = 20
/** How many answers of the source are wrong where processes are killed. */
export const REMOTE_TROUBLE = 0.08
/** A round may wait for PostgreSQL, for a process that starts, and for the provider's circuit to close. */
const ROUND_LIMIT_MS = 300_000

/** Nothing of these is a complete answer. */
const FAULTS: readonly Fault[] = [
  ...([{ kind: 'status', status: 500 }, { kind: 'reset' }, { kind: 'truncate' }, { kind: 'hang' }] as const),
  ...([{ kind: 'malformed' }, { kind: 'bad-rows' }, { kind: 'status', status: 429 }] as const),
]

export interface RemoteSource {
  readonly port: number
  /** What it answers from now on. */
  homes: readonly FeedHome[]
  stop(): Promise<void>
}

export async function startRemoteSource(random: Random, trouble: number): Promise<RemoteSource> {
  let homes: readonly FeedHome[] = []
  let listings = new Listings([])
  const server: Server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces).toString()
    const asked = { method: request.method ?? '', url: request.url ?? '', body }
    const operation = findOperation(asked)
    const right = operation ? answer(listings, operation, asked) : refusal(404, 'not_found', 'Unknown path.')
    await send(response, right, random.chance(trouble) ? random.pick(FAULTS) : undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    port,
    get homes() {
      return homes
    },
    set homes(now) {
      homes = now
      listings = new Listings(now as unknown as Property[])
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Of the database of the service. */
export type RunQuery = <R>(text: string, values?: readonly unknown[]) => Promise<R[]>

export interface Remote {
  /** Ends the rounds. */
  end(): Promise<void>
  /** Ends the rounds, and reads every event. */
  finish(): Promise<string>
}

export interface RemoteParts {
  readonly service: DataService
  readonly source: RemoteSource
  readonly key: WorldKey
  /** Runs a statement, repeated while PostgreSQL is away. */
  readonly run: RunQuery
  readonly log: Log<FeedRecord>
  readonly random: Random
  readonly form: FeedForm
}

/** Creates the watches, and searches round by round until it is finished. */
export async function startRemote(parts: RemoteParts): Promise<Remote> {
  const { service, source, key, log, random, form } = parts
  const calls = callsOf(service.port)
  source.homes = Array.from({ length: HOMES }, (_, at) => ({
    ...makeHome(String(at + 1), random),
    homeStatus: 'FOR_SALE' as const,
  }))
  const ids = {} as Record<RemoteWatchName, string>
  for (const { name, body } of REMOTE_WATCHES)
    ids[name] = await calls.createWatch(key, { name, every: '1h', ...body })
  log.write({ kind: 'remoteCreated', ids })

  let isOver = false
  const searching = (async () => {
    await parts.run(MAKE_ROUNDS)
    await searchAll(parts, 0)
    const rounds = roundsOf(random)
    let searches = 0
    const search = async (round: Round) => {
      source.homes = round(source.homes)
      await searchAll(parts, ++searches, random.chance(form.evaluationKills))
    }
    // Every kind once, however short the run is.
    for (const round of rounds) await search(round)
    while (!isOver) {
      await search(random.pick(rounds))
      await until(() => isOver, form.pauseMs)
    }
    // What was lost is found again: however often that was, watches have homes in the end.
    await search(rounds.at(-1)!)
  })()
  // Reported where it is awaited.
  searching.catch(() => {})
  async function end(): Promise<void> {
    isOver = true
    await searching
  }
  return {
    end,
    async finish() {
      await end()
      let events = 0
      for (const { name } of REMOTE_WATCHES) {
        for (let after = 0; ; ) {
          const page = await readPage(calls, key, ids[name], after)
          log.write({ kind: 'remoteEvents', name, events: page })
          if (page.length === 0) break
          events += page.length
          after = page.at(-1)!.seq
        }
      }
      return `watches over a remote source caused ${events} events`
    },
  }
}

async function readPage(calls: FeedCalls, key: WorldKey, id: string, after: number) {
  let page: readonly SeenEvent[] | undefined
  await until(async () => {
    page = await calls.readEvents(key, id, after)
    return page !== undefined
  }, ROUND_LIMIT_MS)
  if (!page) throw new Error(`the events of the watch ${id} cannot be read`)
  return page
}

type Round = (homes: readonly FeedHome[]) => readonly FeedHome[]

/** What the source has next. */
function roundsOf(random: Random): Round[] {
  let lost: readonly FeedHome[] = []
  const isSome = () => random.chance(0.1)
  const change: Round = (homes) =>
    homes.map((home) => {
      if (!isSome()) return home
      const { latitude, longitude } = home
      return { ...makeHome(home.zpid, random), latitude, longitude }
    })
  const lose =
    (count: number): Round =>
    (homes) => {
      const at = random.int(0, Math.max(0, homes.length - count))
      lost = [...lost, ...homes.slice(at, at + count)]
      return homes.filter((_, place) => place < at || place >= at + count)
    }
  const find: Round = (homes) => {
    const back = lost
    lost = []
    return [...homes, ...back]
  }
  const same: Round = (homes) => homes
  // Lost, and found again before the second search; lost for good; many at once, and found again; many at once for good.
  return [change, lose(3), find, lose(3), same, lose(LOST), find, lose(LOST), change, find]
}

// A complete search is followed by the next one in an hour, and any other one much earlier.
const LEFT = `
  select count(*)::integer as count from watches
  where due_at < now() + interval '40 minutes' or incomplete_scans > 0 or scan_token is not null`
const AGAIN = `
  update watches set due_at = now(), incomplete_scans = 0 where due_at > now() and (due_at < now() + interval '40 minutes' or incomplete_scans > 0)`
// What a process that was killed was searching.
const FREE =
  'update watches set scan_token = null, scan_until = null, due_at = now() where scan_token is not null'

// A statement whose answer was lost is repeated. In a round that has begun, it must not make a watch due that was searched.
const MAKE_ROUNDS = `
  create table if not exists torture_rounds (number integer primary key)`
const BEGIN_ROUND = `
  with begun as (insert into torture_rounds values ($1) on conflict do nothing returning number)
  update watches set due_at = now() where exists (select from begun)`

/** All watches are searched, each until its search was complete. */
async function searchAll(
  { service, source, run, log, random }: RemoteParts,
  round: number,
  isKilled = false,
): Promise<void> {
  await run(BEGIN_ROUND, [round])
  if (isKilled) {
    await sleep(random.int(0, 1_500))
    await service.kill()
    await run(FREE)
  }
  const isDone = await until(
    async () => {
      await run(AGAIN)
      return (await run<{ count: number }>(LEFT))[0]!.count === 0
    },
    ROUND_LIMIT_MS,
    50,
  )
  if (!isDone) throw new Error('the watches over a remote source were not searched')
  log.write({ kind: 'remoteSearch', homes: source.homes })
}
