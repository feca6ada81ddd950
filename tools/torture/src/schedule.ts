// The schedule of a run: which faults happen to the service and in which order. It depends only on the form and the
// seed.

import { type FaultName, OF_THE_STORE } from './faults/index.ts'
import type { ReplicaFaults } from './feed/replica.ts'
import type { Random } from './random.ts'

/** How much of everything. */
export interface Form {
  readonly name: 'calm' | 'short' | 'long' | 'soak'
  readonly faults: Readonly<Partial<Record<FaultName, number>>>
  /** Between two faults, in milliseconds: at least, at most. */
  readonly gapMs: readonly [number, number]
  /** How long the clients go on where there are no faults. */
  readonly leastMs: number
  /** How many connections, and answers of the provider, go wrong; from 0 to 1. */
  readonly trouble: number
  readonly homes: number
  readonly diskMebibytes: number
  /** Between two turns of a client, on the average. Default: 0. */
  readonly clientPauseMs?: number
  readonly feed: FeedForm
}

/** What is done to the service over a data set that runs beside the other one (feed/feed.ts). */
export interface FeedForm {
  /** Between two imports, removals, or the like. */
  readonly pauseMs: number
  /** How many of the commands are killed, from 0 to 1. */
  readonly importKills: number
  /** After how many of them the process that evaluates is killed, from 0 to 1. */
  readonly evaluationKills: number
  /** What goes wrong with the answers to the reader of the replicated source. */
  readonly replicaFaults: ReplicaFaults
}

export const FORMS: Readonly<Record<Exclude<Form['name'], 'soak'>, Form>> = {
  calm: {
    name: 'calm',
    faults: {},
    gapMs: [0, 0],
    leastMs: 5_000,
    trouble: 0,
    homes: 600,
    diskMebibytes: 700,
    feed: { pauseMs: 100, importKills: 0, evaluationKills: 0, replicaFaults: 'none' },
  },
  short: {
    name: 'short',
    faults: {
      'kill -9 of a process': 2,
      'SIGTERM of a process': 1,
      'pause of a process': 1,
      'kill -9 of PostgreSQL': 1,
      'restart of PostgreSQL': 1,
      'freeze of PostgreSQL': 1,
      'full disk': 1,
      'clock jump': 1,
      'outage of the provider': 1,
      'kill -9 of the store': 1,
      'freeze of the store': 1,
    },
    gapMs: [200, 2_200],
    leastMs: 25_000,
    trouble: 0.08,
    homes: 900,
    diskMebibytes: 850,
    feed: { pauseMs: 1_500, importKills: 0.4, evaluationKills: 0.25, replicaFaults: 'brief' },
  },
  long: {
    name: 'long',
    faults: {
      'kill -9 of a process': 50,
      'SIGTERM of a process': 20,
      'pause of a process': 8,
      'kill -9 of PostgreSQL': 10,
      'restart of PostgreSQL': 10,
      'freeze of PostgreSQL': 10,
      'full disk': 5,
      'clock jump': 12,
      'outage of the provider': 8,
      'kill -9 of the store': 10,
      'freeze of the store': 8,
    },
    gapMs: [100, 4_500],
    leastMs: 600_000,
    trouble: 0.08,
    homes: 1_200,
    diskMebibytes: 2_200,
    feed: { pauseMs: 3_000, importKills: 0.4, evaluationKills: 0.25, replicaFaults: 'all' },
  },
}

export interface ScheduledFault {
  readonly fault: FaultName
  /** To wait before it. */
  readonly afterMs: number
}

/** `hasStore`: whether several processes share a store. */
export function scheduleOf({ faults, gapMs }: Form, hasStore: boolean, random: Random): ScheduledFault[] {
  const names = (Object.entries(faults) as [FaultName, number][])
    .filter(([name]) => hasStore || !OF_THE_STORE.has(name))
    .flatMap(([name, count]) => Array.from({ length: count }, () => name))
  for (let at = names.length - 1; at > 0; at--) {
    const other = random.int(0, at)
    ;[names[at], names[other]] = [names[other]!, names[at]!]
  }
  return names.map((fault) => ({ fault, afterMs: random.int(...gapMs) }))
}
