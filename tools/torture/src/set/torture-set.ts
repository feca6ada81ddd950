// WHAT IS TORTURED: the service's processes and its PostgreSQL, under the names by which faults are done to them.

import type { ClientConfig } from 'pg'
import type { Origin } from '../clients/world.ts'
import type { Store } from './store.ts'

/** One process of the service. It is started again, on the same port, whenever it was ended. */
export interface ServiceProcess {
  readonly name: string
  /** undefined: it does not run. */
  readonly pid: number | undefined
  /** Resolves when the signal is sent; the process need not have ended by then. */
  signal(name: NodeJS.Signals): void
  /** Resolves when it has ended. Rejects when that takes longer than the service allows itself. */
  untilEnded(): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>
  start(): Promise<void>
  /** What is wrong when it has ended without having been told to. */
  readonly unasked: string | undefined
}

export interface PostgresControl {
  /** The first process of PostgreSQL and all its children. */
  family(): Promise<number[]>
  /** Waits until the service can use it again; `ended` is the first process of one that was ended and must be another now. */
  revive(ended?: number): Promise<void>
}

export interface TortureSet {
  readonly kind: 'single' | 'scaled'
  readonly processes: readonly ServiceProcess[]
  readonly postgres: PostgresControl
  /** What the processes share their counts in; undefined: there is but one process. */
  readonly store: Store | undefined
  /** The address that clients call: a process or a load balancer in front of several. */
  readonly origin: Origin
  /** The file that shifts the wall clock of the service's processes, in milliseconds. */
  readonly clockFile: string
  /** A file system of its own that the database lies on; undefined: it could not be made. */
  readonly disk: string | undefined
  /** For the auditor's own connection. */
  readonly database: ClientConfig
  /** What the processes wrote to stdout and stderr. */
  readonly outputs: readonly string[]
  /** Directories in which no secret may lie in plain text, but for the file of the key that seals. */
  readonly dataDirectories: readonly string[]
  /** Whether calls are answered: by every process of the service. */
  isWell(): Promise<boolean>
  /** Runs `lotline … --json` and returns what it printed. Throws when it fails. */
  lotline(...args: string[]): Promise<unknown>
  stop(): Promise<void>
}
