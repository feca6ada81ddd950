// THE FEED of a run: while the main service is tortured, another one beside it has a data set that changes all the time.
// Homes are imported and removed with the real command, which is killed now and then, as is the process that evaluates the
// watches. Readers follow the events, receivers get them, and one account runs out of credits again and again.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectDatabase, type Database } from '@lotline/api/infrastructure/database/database.ts'
import { openAccount } from '@lotline/api/money/accounts/open-account.ts'
import { topUp } from '@lotline/api/money/accounts/top-up.ts'
import type { WorldKey } from '../clients/world.ts'
import { type Log, openLog } from '../log.ts'
import type { Random } from '../random.ts'
import { startReceivers } from '../receivers/receivers.ts'
import type { FeedForm } from '../schedule.ts'
import { startChild } from '../set/child.ts'
import { runLotline } from '../set/lotline.ts'
import type { TortureSet } from '../set/torture-set.ts'
import { until } from '../set/until.ts'
import { type DataService, startDataService } from './data-service.ts'
import { callsOf, type FeedCalls } from './feed-calls.ts'
import { type FeedHome, FLIPPED, firstHomes, nextHomes, removable } from './homes.ts'
import type { FeedRecord } from './records.ts'
import { REMOTE_TROUBLE, startRemote, startRemoteSource } from './remote.ts'
import { type Replica, startReplica } from './replica.ts'
import { FEED_WATCHES, type WatchName } from './watches.ts'

const COMMAND = new URL('../../../../apps/api/src/interfaces/cli/main.ts', import.meta.url)
/** Credits of the account that runs out, at first and with each top-up but the last. */
const FEW = 20
const ENOUGH = 1_000_000
/** A command takes about this long: kills hit any moment of it. */
const COMMAND_MS = 1_300
/** Everything that has to come about in the end has this long. */
const SETTLE_MS = 90_000
/** Homes of the replicated source that are looked up in the end. */
const LOOKED_UP = 40

export interface Feed {
  readonly service: DataService
  /** The one over a remote data source. */
  readonly remote: DataService
  readonly keys: readonly WorldKey[]
  /** Of its webhooks, by the path at their receiver. */
  readonly hookSecrets: ReadonlyMap<string, string>
  readonly log: string
  /** Ends the changes, waits until all are evaluated and delivered, and reads every event once more. */
  finish(): Promise<string>
  lotline(...args: string[]): Promise<unknown>
  stop(): Promise<void>
}

export interface FeedOptions {
  readonly set: TortureSet
  readonly settings: Readonly<Record<string, string>>
  /** Of the run. */
  readonly directory: string
  readonly random: Random
  readonly form: FeedForm
}

interface Parts {
  readonly service: DataService
  readonly database: Database
  readonly log: Log<FeedRecord>
  readonly random: Random
  readonly form: FeedForm
  /** What is in the data set now. */
  readonly homes: Map<string, FeedHome>
}

export async function startFeed({ set, settings, directory, random, form }: FeedOptions): Promise<Feed> {
  const takenUp: (() => Promise<unknown>)[] = []
  async function stop(): Promise<void> {
    for (const giveBack of takenUp.splice(0).reverse()) await giveBack()
  }
  try {
    const service = await startDataService(set, settings, directory, { name: 'feed' })
    takenUp.push(() => service.stop())
    const file = join(service.directory, 'seen.ndjson')
    const log = openLog<FeedRecord>(file)
    takenUp.push(() => log.close())
    const receivers = await startReceivers(log, random.fork('receivers'))
    takenUp.push(() => receivers.stop())
    const database = connectDatabase({ target: service.database, poolSize: 2 })
    takenUp.push(() => database.close())
    const parts: Parts = { service, database, log, random, form, homes: new Map() }

    const account = { plan: 'custom', ratePerMinute: 100_000 } as const
    const [rich, poor] = [
      await openAccount(database, { ...account, credits: ENOUGH }),
      await openAccount(database, { ...account, credits: FEW }),
    ].map(({ accountId, keyId: id, key: text }): WorldKey => ({ accountId, id, text }))
    await change(parts, { homes: firstHomes(random.fork('first')), isSure: true })
    const calls = callsOf(service.port)
    const hookSecrets = new Map<string, string>()
    for (const manner of ['accepting', 'moody'] as const) {
      const { url, hook } = receivers.newHook(manner)
      const { secret } = await calls.createWebhook(rich!, url)
      hookSecrets.set(hook, secret)
    }
    const ids = {} as Record<WatchName, string>
    for (const { name, body } of FEED_WATCHES)
      ids[name] = await calls.createWatch(name === 'poor' ? poor! : rich!, { name, ...body })
    log.write({ kind: 'created', ids })
    await untilQuiet(database)
    const remote = await beginRemote({ set, settings, directory, random, form }, log, takenUp)
    const own = random.fork('replica')
    const replica = await startReplica(service.directory, database, own, form.replicaFaults, retry)
    takenUp.push(() => replica.stop())

    const running = run(parts, replica, calls, ids, rich!, poor!)
    takenUp.push(() => running.end())
    return {
      service,
      hookSecrets,
      log: file,
      keys: [rich!, poor!, remote.key],
      stop,
      remote: remote.service,
      lotline: (...args) => runLotline(args, service.env),
      async finish() {
        // It would search on while the others are finished. What it throws is reported below.
        remote.end().catch(() => {})
        await running.end()
        await restrictReplica(replica, calls, rich!, log)
        const counts = await settle(parts, calls, ids, rich!, poor!)
        const ofRemote = await remote.finish()
        await log.close()
        return `${counts}; ${ofRemote}`
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Looks homes of the replicated source up in a job, forbids to show some of them, and reads again what is shown. */
async function restrictReplica(
  replica: Replica,
  calls: FeedCalls,
  key: WorldKey,
  log: Log<FeedRecord>,
): Promise<void> {
  const homes = await replica.homes(SETTLE_MS)
  const job = await calls.startBatch(
    key,
    homes.map(({ address }) => address),
  )
  await calls.readRows(key, job)
  await replica.restrict()
  log.write({ kind: 'replicated', records: await replica.finish(SETTLE_MS) })
  const answers = await Promise.all(
    homes.slice(0, LOOKED_UP).map(async ({ zpid }) => ({ zpid, ...(await calls.lookUp(key, zpid)) })),
  )
  log.write({ kind: 'shown', answers, jobRows: await calls.readRows(key, job) })
}

/** The service over a remote data source, with its watches. */
async function beginRemote(
  { set, settings, directory, random, form }: FeedOptions,
  log: Log<FeedRecord>,
  takenUp: (() => Promise<unknown>)[],
) {
  const own = random.fork('remote')
  const isTroubled = form.evaluationKills > 0
  const source = await startRemoteSource(own.fork('source'), isTroubled ? REMOTE_TROUBLE : 0)
  takenUp.push(() => source.stop())
  const providerUrl = `http://127.0.0.1:${source.port}`
  const service = await startDataService(set, settings, directory, { name: 'remote', providerUrl })
  takenUp.push(() => service.stop())
  const database = connectDatabase({ target: service.database, poolSize: 2 })
  takenUp.push(() => database.close())
  const { accountId, keyId, key } = await openAccount(database, {
    plan: 'custom',
    ratePerMinute: 100_000,
    credits: ENOUGH,
  })
  const mine: WorldKey = { accountId, id: keyId, text: key }
  const remote = await startRemote({
    service,
    source,
    key: mine,
    log,
    random: own,
    form,
    run: <R>(text: string, values?: readonly unknown[]) =>
      retry(async () => (await database.query<R>(text, values)).rows),
  })
  takenUp.push(() => remote.end())
  return { service, key: mine, end: remote.end, finish: remote.finish }
}

/** Changes the data set and reads the events until it is ended. */
function run(
  parts: Parts,
  replica: Replica,
  calls: FeedCalls,
  ids: Readonly<Record<WatchName, string>>,
  rich: WorldKey,
  poor: WorldKey,
): { end(): Promise<void> } {
  const { random, homes, form, database, log } = parts
  let isOver = false
  /** The last change is made; readers go on until then. */
  let isWritten = false
  let isPaused = false

  const turns = {
    import: () => change(parts, { homes: nextHomes(homes, random) }),
    remove: () => change(parts, { removed: removable(homes, random) }),
    /** Changed and changed back while the watch is paused: it must report nothing. */
    async flip() {
      await calls.setPaused(rich, ids.flipped, true)
      const before = FLIPPED.map((zpid) => homes.get(zpid)!)
      const after = before.map((home) => ({
        ...home,
        price: 300_000,
        homeStatus: random.pick(['SOLD', 'PENDING']),
      }))
      await change(parts, { homes: after as FeedHome[], isFlip: true })
      await change(parts, { homes: before, isFlip: true })
      await calls.setPaused(rich, ids.flipped, false)
    },
    async pause() {
      isPaused = !isPaused
      await calls.setPaused(rich, ids.resumed, isPaused)
    },
    topUp: () => retry(() => topUp(database, poor.accountId, FEW)),
    replicate: () => replica.turn(),
    async kill() {
      await sleep(random.int(0, 800))
      await parts.service.kill()
    },
  }
  type Turn = keyof typeof turns
  // Every kind at least once, however short the run is.
  const opening: Turn[] = ['import', 'pause', 'flip', 'remove', 'replicate', 'pause', 'import', 'topUp']
  const usual: Turn[] = [
    ...(['import', 'import', 'import', 'import', 'remove', 'flip', 'pause', 'topUp'] as const),
    ...(['replicate', 'replicate'] as const),
  ]

  async function write(): Promise<void> {
    for (const turn of opening) await turns[turn]()
    while (!isOver) {
      await turns[random.pick(usual)]()
      if (random.chance(form.evaluationKills)) await turns.kill()
      await until(() => isOver, form.pauseMs)
    }
    if (isPaused) await turns.pause()
  }

  async function read(name: WatchName): Promise<void> {
    const key = name === 'poor' ? poor : rich
    for (let after = 0; !isWritten; ) {
      const page = await calls.readEvents(key, ids[name], after)
      if (page && page.length > 0) {
        log.write({ kind: 'events', watchId: ids[name], after, events: page, isLast: false })
        after = page.at(-1)!.seq
      } else await until(() => isWritten, 400)
    }
  }

  const writing = write().finally(() => {
    isWritten = true
  })
  // The caller that awaits the promise reports the error.
  writing.catch(() => {})
  const reading = (['all', 'cheap', 'resumed', 'poor'] as const).map(read)
  return {
    async end() {
      isOver = true
      await Promise.all([writing, ...reading])
    },
  }
}

/** Imports or removes homes, with as many commands as it takes: some are killed, and some find no database. */
async function change(
  { service, database, log, random, form, homes }: Parts,
  asked: {
    readonly homes?: readonly FeedHome[]
    readonly removed?: readonly string[]
    readonly isFlip?: boolean
    /** No command is killed. */
    readonly isSure?: boolean
  },
): Promise<void> {
  const { homes: imported = [], removed = [], isFlip = false, isSure = false } = asked
  const file = join(service.directory, 'homes.ndjson')
  await writeFile(file, imported.map((home) => `${JSON.stringify(home)}\n`).join(''))
  const args = removed.length > 0 ? ['remove', ...removed] : ['import', file, '--source', 'feed']
  let kills = 0
  for (let isDone = false; !isDone; ) {
    const child = startChild(COMMAND, {
      args: ['listings', ...args],
      env: service.env,
      output: join(service.directory, 'command.out'),
    })
    if (!isSure && random.chance(form.importKills)) {
      const late = setTimeout(() => child.kill('SIGKILL'), random.int(0, COMMAND_MS))
      await child.exited.finally(() => clearTimeout(late))
    }
    const { code, signal } = await child.exited
    if (signal === 'SIGKILL') kills += 1
    // A removal that was killed may have been carried out; the command then finds none of its homes.
    isDone = code === 0 || (removed.length > 0 && (await areGone(database, removed)))
    if (!isDone) await sleep(100)
  }
  for (const home of imported) homes.set(home.zpid, home)
  for (const zpid of removed) homes.delete(zpid)
  log.write({ kind: 'change', homes: imported, removed, kills, isFlip })
}

function areGone(database: Database, zpids: readonly string[]): Promise<boolean> {
  return retry(async () => {
    const { rowCount } = await database.query('select from listings where zpid = any ($1)', [zpids])
    return rowCount === 0
  })
}

/** While PostgreSQL is away. */
async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let left = SETTLE_MS / 100; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left <= 0) throw error
      await sleep(100)
    }
  }
}

const UNSETTLED = `
  select (select count(*)::integer from listing_changes where seq > position) as changes,
    (select count(*)::integer from watches where not is_current) as watches,
    (select count(*)::integer from webhook_deliveries where ended_at is null) as deliveries
  from watch_progress`

/** Resolves when all changes are evaluated and all deliveries have ended, or with what is left. */
async function untilQuiet(database: Database): Promise<string> {
  const left = () => retry(async () => (await database.query<Record<string, number>>(UNSETTLED)).rows[0]!)
  await until(async () => Object.values(await left()).every((count) => count === 0), SETTLE_MS, 50)
  const { changes, watches, deliveries } = await left()
  return `${changes} changes, ${watches} watches and ${deliveries} deliveries are left`
}

async function settle(
  { database, log }: Parts,
  calls: FeedCalls,
  ids: Readonly<Record<WatchName, string>>,
  rich: WorldKey,
  poor: WorldKey,
): Promise<string> {
  await retry(() => topUp(database, poor.accountId, ENOUGH))
  const left = await untilQuiet(database)
  let events = 0
  for (const { name } of FEED_WATCHES) {
    for (let after = 0; ; ) {
      const key = name === 'poor' ? poor : rich
      const page = await retry(async () => {
        const found = await calls.readEvents(key, ids[name], after)
        if (!found) throw new Error(`the events of ${name} cannot be read`)
        return found
      })
      log.write({ kind: 'events', watchId: ids[name], after, events: page, isLast: true })
      if (page.length === 0) break
      events += page.length
      after = page.at(-1)!.seq
    }
  }
  return `the feed caused ${events} events; ${left}`
}
