// One run of PostgreSQL over a cluster, and the end of a PostgreSQL whose starter died. embedded-postgres.ts decides who may
// start it, and what happens after an unexpected end.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { poll } from '../../platform/retry.ts'
import { type DatabaseLog, StartError } from '../queryable.ts'
import { summarizeErrors } from './cluster.ts'
import { CHILD_ENVIRONMENT, type Launcher } from './launcher.ts'
import { findPostmasterFile, isAlive, readCommandLine, removePostmasterFile } from './postmaster-file.ts'

export interface Postmaster {
  readonly pid: number
  /** Resolves with a short reason when PostgreSQL has ended for any cause. */
  readonly ended: Promise<string>
  /** Stops PostgreSQL: running statements are cancelled, and committed data stays. Resolves when it has ended. */
  stop(): Promise<void>
}

export interface PostmasterOptions {
  readonly program: string
  readonly launcher: Launcher
  readonly cluster: string
  readonly socketDirectory: string
  /** Settings over the ones below. */
  readonly settings?: Readonly<Record<string, string>> | undefined
  readonly log: DatabaseLog
}

// Sized for a laptop with other work: about 20 MB when idle, plus the used part of shared_buffers. Commits are synced to disk
// before they are confirmed; no setting trades safety for speed.
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '50',
  shared_buffers: '48MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Replicas are impossible, so WAL is minimal, and no processes serve them.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  wal_compression: 'pglz',
  min_wal_size: '64MB',
  max_wal_size: '512MB',
  checkpoint_timeout: '10min',
  random_page_cost: '1.1',
  // A request must not use the processors of other requests, and containers have only 64 MB of shared memory for parallel
  // workers.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  jit: 'off',
  io_method: 'sync',
  huge_pages: 'off',
  timezone: 'UTC',
  // Errors of statements go to their sender. A log line with their text could show an address that was looked up.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_line_prefix: '',
}

const START_LIMIT_MS = 120_000
// A running checkpoint delays a fast stop. After this time, PostgreSQL is stopped without one, and recovers at the next start.
const FAST_STOP_LIMIT_MS = 20_000
const IMMEDIATE_STOP_LIMIT_MS = 5_000

/**
 * Starts PostgreSQL and waits until it accepts connections, crash recovery included.
 *
 * @throws {StartError} with PostgreSQL's own reason when it ends instead.
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { child, lines, ended } = launch(options)
  const pid = child.pid
  if (pid === undefined) throw new StartError(`PostgreSQL cannot be started: ${await ended}.`)

  // A process that ends without stopping PostgreSQL, by process.exit or an uncaught error, still signals it.
  const stopAtExit = () => child.kill('SIGINT')
  process.once('exit', stopAtExit)
  void ended.then(() => process.off('exit', stopAtExit))

  const postmaster: Postmaster = { pid, ended, stop: () => stopChild(child, ended) }
  const state = await Promise.race([ended.then(() => 'ended' as const), waitUntilReady(options.cluster, pid)])
  if (state === 'ready') return postmaster
  if (state === 'late') await postmaster.stop()
  const reason =
    state === 'late'
      ? `it was not ready after ${START_LIMIT_MS / 1000} s.`
      : summarizeErrors(lines.join('\n'))
  throw new StartError(`PostgreSQL cannot start in ${options.cluster}: ${reason}`)
}

/**
 * Stops a PostgreSQL whose starter died, and removes files that would block the next start. The caller must hold the cluster's
 * owner lock, which proves that any PostgreSQL found there is an orphan.
 */
export async function stopOrphan(cluster: string, log: DatabaseLog): Promise<void> {
  const file = await findPostmasterFile(cluster)
  if (file === undefined || !isAlive(file.pid)) return
  // After a restart of the machine or container, another process can have the pid. PostgreSQL would not start then.
  if (!(await readCommandLine(file.pid)).includes(file.dataDirectory)) return removePostmasterFile(cluster)

  log.warn(`Stopping PostgreSQL (process ${file.pid}): the process that started it is gone.`)
  for (const [signal, limitMs] of [
    ['SIGINT', FAST_STOP_LIMIT_MS],
    ['SIGQUIT', IMMEDIATE_STOP_LIMIT_MS],
  ] as const) {
    if (sendSignal(file.pid, signal) && (await endsWithin(file.pid, limitMs))) return
  }
  if (isAlive(file.pid)) {
    throw new StartError(
      `PostgreSQL (process ${file.pid}) still runs in ${cluster} and does not stop: kill it first.`,
    )
  }
}

function launch(options: PostmasterOptions) {
  const settings = { ...SETTINGS, unix_socket_directories: options.socketDirectory, ...options.settings }
  const { file, args } = options.launcher.commandLine(options.program, [
    '-D',
    options.cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  // PostgreSQL has its own session. Otherwise Ctrl-C, which goes to every process of the terminal, would stop it under a server
  // that is still finishing its calls.
  const child = spawn(file, args, {
    env: CHILD_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  const lines: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line)
    if (lines.length > 50) lines.shift()
    // FATAL ends one session only, and its client gets the error.
    if (/^(PANIC|WARNING):/.test(line)) options.log.warn(`PostgreSQL: ${line}`)
    else options.log.debug(`PostgreSQL: ${line}`)
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `exit code ${code}` : `killed by ${signal}`),
    )
  })
  return { child, lines, ended: ended.then(async (reason) => reasonAfterOutput(child, reason)) }
}

// The reason of an exit is in the last lines, which can arrive after the exit event. A surviving backend can keep the pipe open,
// so the wait is short.
async function reasonAfterOutput(child: ChildProcess, reason: string): Promise<string> {
  const closed = child.stderr?.closed === false ? once(child.stderr, 'close').catch(() => {}) : undefined
  await Promise.race([closed, sleep(200, undefined, { ref: false })])
  return reason
}

async function waitUntilReady(cluster: string, pid: number): Promise<'ready' | 'late'> {
  const end = await poll(
    async () => {
      if (!isAlive(pid)) return 'dead'
      const file = await findPostmasterFile(cluster)
      return file?.pid === pid && file.status === 'ready' ? 'ready' : undefined
    },
    { timeoutMs: START_LIMIT_MS, pauseMs: 10 },
  )
  if (end === 'ready') return 'ready'
  // `ended` reports a dead process, with its reason.
  if (!isAlive(pid)) await sleep(1_000, undefined, { ref: false })
  return 'late'
}

async function stopChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  for (const [signal, limitMs] of [
    ['SIGINT', FAST_STOP_LIMIT_MS],
    ['SIGQUIT', IMMEDIATE_STOP_LIMIT_MS],
    ['SIGKILL', IMMEDIATE_STOP_LIMIT_MS],
  ] as const) {
    child.kill(signal)
    const timer = new AbortController()
    const gone = await Promise.race([
      ended.then(() => true),
      sleep(limitMs, false, { signal: timer.signal }).catch(() => false),
    ])
    timer.abort()
    if (gone) return
  }
}

/** False when the process was already gone. */
function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

async function endsWithin(pid: number, limitMs: number): Promise<boolean> {
  return (await poll(() => !isAlive(pid) || undefined, { timeoutMs: limitMs, pauseMs: 10 })) ?? false
}
