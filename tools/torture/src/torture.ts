// ONE RUN: the service is started among a bad network, an unreliable source and receivers of all manners; clients call;
// what the schedule says is done to it; then everything grows calm, the service finishes what it has accepted, and the
// evidence is handed to the auditor.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Evidence, openEvidence } from './audit/evidence.ts'
import { startCrowd } from './clients/crowd.ts'
import type { World } from './clients/world.ts'
import { nowMs } from './clock.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import type { Victim } from './faults/fault.ts'
import { FAULTS } from './faults/index.ts'
import { startFeed } from './feed/feed.ts'
import { type Log, openLog } from './log.ts'
import { writeListings } from './provider/listings-file.ts'
import { FIRST_QUICK, FIRST_SLOW } from './provider/made-home.ts'
import { type Provider, startProvider } from './provider/start.ts'
import { truthOf } from './provider/truth.ts'
import { seeded } from './random.ts'
import { type Receivers, startReceivers } from './receivers/receivers.ts'
import { type Form, scheduleOf } from './schedule.ts'
import { openAccounts } from './set/accounts.ts'
import { endPeriods } from './set/limit-periods.ts'
import { keepShop } from './set/purchases.ts'
import { startScaled } from './set/scaled.ts'
import { newSecrets, serviceSettings } from './set/settings.ts'
import { startSingle } from './set/single.ts'
import type { TortureSet } from './set/torture-set.ts'
import { untilDone } from './until-done.ts'

export interface TortureOptions {
  readonly form: Form
  readonly seed: string
  readonly set: TortureSet['kind']
  /** An empty directory. */
  readonly directory: string
  /** Gets the progress, line by line. */
  readonly say: (line: string) => void
  /** Called when the service is up, to watch it; what it resolves with ends that, before the clients are stopped. */
  readonly watch?: (set: TortureSet) => Promise<() => Promise<void>>
}

/** So long between two calls of a burst: each of several processes has to get a turn on this machine's processors. */
const BURST_GAP_MS = { single: 25, scaled: 350 }

/** Of each client between two turns, while the feed is finished. On the average. */
const PAUSE_BESIDE_FEED_MS = 250

/** Runs it and hands over the evidence while the service still stands. Everything is taken down afterwards. */
export async function withTorture<T>(
  options: TortureOptions,
  judge: (evidence: Evidence) => Promise<T>,
): Promise<T> {
  const { form, seed, directory, say } = options
  const takenUp: (() => Promise<unknown>)[] = []
  const random = seeded(seed)
  try {
    const listings = join(directory, 'listings.ndjson')
    const truth = truthOf(await writeListings(listings, form.homes))
    const log = openLog(join(directory, 'seen.ndjson'))
    takenUp.push(() => log.close())
    const secrets = newSecrets()
    const provider = await startProvider({
      listings,
      seed,
      trouble: form.trouble,
      token: secrets.providerToken,
      slowMs: 2 * BURST_GAP_MS[options.set],
      log: join(directory, 'queries.ndjson'),
      output: join(directory, 'provider.out'),
    })
    takenUp.push(() => provider.stop())
    const receivers = await startReceivers(log, random.fork('receivers'))
    takenUp.push(() => receivers.stop())
    const toProvider = await startFaultProxy({
      target: () => provider.port,
      random: random.fork('to provider'),
      trouble: form.trouble,
    })
    takenUp.push(() => toProvider.stop())
    const settings = serviceSettings(secrets, toProvider.port)
    const startSet = options.set === 'single' ? startSingle : startScaled
    const set = await startSet({ directory, settings, diskMebibytes: form.diskMebibytes })
    takenUp.push(() => set.stop())
    const toService = await startFaultProxy({
      target: () => set.origin.port,
      random: random.fork('to service'),
      trouble: form.trouble,
    })
    takenUp.push(() => toService.stop())
    const [accounts, feed] = await Promise.all([
      openAccounts(set),
      startFeed({ set, settings, directory, random: random.fork('feed'), form: form.feed }),
    ])
    takenUp.push(() => feed.stop())
    say('the service is up, its accounts are open')

    const world = makeWorld({ set, log, truth, receivers, port: toService.port })
    const crowd = startCrowd(world, accounts, random.fork('clients'), form.clientPauseMs)
    takenUp.push(() => crowd.stop())
    const midnights = endPeriods(set.database, random.fork('midnights'))
    takenUp.push(() => midnights.stop())
    const shop = keepShop(set.database, accounts.rich[0]!, random.fork('shop'))
    takenUp.push(() => shop.stop())
    const victim: Victim = { set, provider, proxies: [toProvider, toService] }
    const endWatch = await options.watch?.(set)
    await carryOut(options, victim, log).finally(() => endWatch?.())
    await calmDown(victim, [toProvider, toService], provider, say)
    // The clients go on until the feed is done, so that a slow machine has something to judge, too. At their full pace they
    // would take its processors from the feed, which then takes several times as long.
    crowd.slowDown(PAUSE_BESIDE_FEED_MS)
    say(await feed.finish())
    await crowd.stop()
    say(`${await midnights.stop()} periods of limits were ended`)
    say(`${await shop.stop()} orders of packs were decided or paid`)
    say(await untilDone(set))

    await writeFile(join(directory, 'secrets.json'), JSON.stringify([...world.secrets]), { mode: 0o600 })
    await log.close()
    await provider.stop()
    const evidence = await openEvidence({
      directory,
      set,
      accounts,
      secrets,
      hookSecrets: world.secrets,
      newKeys: world.newKeys,
      feed,
    })
    takenUp.push(() => evidence.close())
    return await judge(evidence)
  } finally {
    for (const giveBack of takenUp.reverse())
      await giveBack().catch((error) => say(`cannot take down: ${error}`))
  }
}

function makeWorld(parts: {
  readonly set: TortureSet
  readonly log: Log
  readonly truth: World['truth']
  readonly receivers: Receivers
  readonly port: number
}): World {
  const { set, port, ...rest } = parts
  let calls = 0
  let [quick, slow] = [FIRST_QUICK, FIRST_SLOW]
  return {
    ...rest,
    origin: { host: '127.0.0.1', port },
    direct: set.origin,
    secrets: new Map(),
    newKeys: new Map(),
    stopping: { now: false },
    burstGapMs: BURST_GAP_MS[set.kind],
    nextCall: () => ++calls,
    newZpid: () => String(quick++),
    newSlowZpid: () => String(slow++),
  }
}

/** Does what the schedule says, one thing after the other. */
async function carryOut({ form, seed, say }: TortureOptions, victim: Victim, log: Log): Promise<void> {
  const until = nowMs() + form.leastMs
  const random = seeded(`${seed}/schedule`)
  const died = () => victim.set.processes.find(({ unasked }) => unasked !== undefined)?.unasked
  for (const { fault, afterMs } of scheduleOf(form, victim.set.store !== undefined, random)) {
    await sleep(afterMs)
    const found = died()
    if (found !== undefined) throw new Error(found)
    const at = nowMs()
    const detail = await FAULTS[fault](victim, random)
    log.write({ kind: 'fault', fault, at, endAt: nowMs(), detail })
    say(`${fault}${detail && `, ${detail}`}: over after ${Math.round(nowMs() - at)} ms`)
  }
  await sleep(Math.max(0, until - nowMs()))
  const found = died()
  if (found !== undefined) throw new Error(found)
}

/** Of several processes, order can be judged only while nothing is done to them. */
const CALM_MS = { single: 1_000, scaled: 10_000 }

/** No fault from here on, and a moment in which the clients see a service that is well. */
async function calmDown(
  { set }: Victim,
  proxies: readonly FaultProxy[],
  provider: Provider,
  say: (line: string) => void,
): Promise<void> {
  provider.calm()
  for (const proxy of proxies) {
    const { connections, troubled } = proxy.counts
    say(`the network troubled ${troubled} of ${connections} connections`)
    proxy.calm()
  }
  if (!(await set.isWell())) await set.postgres.revive()
  await sleep(CALM_MS[set.kind])
}
