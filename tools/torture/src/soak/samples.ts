// What a soak measures while it runs: memory and open files of each process, connections to the database, and the size of
// each table. Linux only: memory is read from /proc.

import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import type { TortureSet } from '../set/torture-set.ts'

/** What a series measures. Bytes for `memory`, `shared`, and `table`, counts for the others. */
export type FigureKind = 'memory' | 'shared' | 'files' | 'connections' | 'table' | 'calls'

export interface SoakSample {
  /** Seconds since the soak began. */
  readonly atS: number
  readonly kind: FigureKind
  /** A process, a kind of connection, or a table with all its partitions and indexes. */
  readonly name: string
  readonly value: number
}

const TABLES = `
  select coalesce(pg_partition_root(c.oid)::regclass, c.oid::regclass)::text as name,
    sum(pg_total_relation_size(c.oid))::float8 as value
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' group by 1 order by 1`

const CONNECTIONS = `
  select coalesce(state, backend_type) as name, count(*)::float8 as value from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' group by 1`

const CALLS = 'select count(*)::float8 as value from usage_rows'

interface FigureRow {
  readonly name: string
  readonly value: number
}

export interface Sampler {
  /** Everything there is to measure, once. */
  take(atS: number): Promise<SoakSample[]>
  close(): Promise<void>
}

/** Measures a set that runs, over a connection of its own that is in no figure. */
export async function startSampler(set: TortureSet): Promise<Sampler> {
  const client = new pg.Client(set.database)
  await client.connect()
  // A statement that fails is reported by its own promise.
  client.on('error', () => {})
  return {
    async take(atS) {
      const samples: SoakSample[] = []
      const add = (kind: FigureKind, name: string, value: number | undefined) =>
        value === undefined ? undefined : samples.push({ atS, kind, name, value })
      for (const { name, pid } of set.processes) {
        add('memory', name, memoryOf(pid))
        add('files', name, filesOf(pid))
      }
      add('memory', 'store', set.store && memoryOf(set.store.pid))
      // Processes of PostgreSQL share most of their memory, so each one's proportional share is counted. What they share fills
      // up to `shared_buffers` and stays there; what they have allocated themselves must not grow.
      const family = await set.postgres.family()
      const sum = (field: MemoryField) => family.reduce((all, pid) => all + (memoryOf(pid, field) ?? 0), 0)
      add('memory', 'postgres', sum('Pss_Anon'))
      add('shared', 'postgres', sum('Pss_Shmem'))
      const connections = (await client.query<FigureRow>(CONNECTIONS)).rows
      add(
        'connections',
        'all',
        connections.reduce((sum, { value }) => sum + value, 0),
      )
      for (const { name, value } of connections) add('connections', name, value)
      for (const { name, value } of (await client.query<FigureRow>(TABLES)).rows) add('table', name, value)
      add('calls', 'all', (await client.query<FigureRow>(CALLS)).rows[0]?.value)
      return samples
    },
    close: () => client.end(),
  }
}

type MemoryField = 'Rss' | 'Pss_Anon' | 'Pss_Shmem'

/** In bytes: all that is resident, or a proportional share. undefined: there is no such process. */
export function memoryOf(pid: number | undefined, field: MemoryField = 'Rss'): number | undefined {
  if (pid === undefined) return undefined
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
  } catch {
    return undefined
  }
}

function filesOf(pid: number | undefined): number | undefined {
  try {
    return pid === undefined ? undefined : readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return undefined
  }
}
