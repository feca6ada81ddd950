import type { Fault } from './fault.ts'
import { fillDisk } from './fill-disk.ts'
import { freezePostgres, killPostgres, stopPostgres } from './postgres.ts'
import { kill, pause, stop } from './processes.ts'
import { freezeStore, killStore } from './store.ts'
import { cutProvider, jumpClock } from './surroundings.ts'

export const FAULTS = {
  'kill -9 of a process': kill,
  'SIGTERM of a process': stop,
  'pause of a process': pause,
  'kill -9 of PostgreSQL': killPostgres,
  'restart of PostgreSQL': stopPostgres,
  'freeze of PostgreSQL': freezePostgres,
  'full disk': fillDisk,
  'clock jump': jumpClock,
  'outage of the provider': cutProvider,
  'kill -9 of the store': killStore,
  'freeze of the store': freezeStore,
} satisfies Readonly<Record<string, Fault>>

export type FaultName = keyof typeof FAULTS

/** Those that only a set of several processes can suffer. */
export const OF_THE_STORE: ReadonlySet<FaultName> = new Set(['kill -9 of the store', 'freeze of the store'])
