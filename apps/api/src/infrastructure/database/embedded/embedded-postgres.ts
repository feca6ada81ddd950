// Supervises the embedded database under DATA_DIR. One process owns it: it starts PostgreSQL, restarts it after a crash, and
// stops it. Every other process is a guest. The operating system releases the two locks when their holder dies: `server.lock`
// admits one server, and `postgres/owner.lock` marks the owner. README.md of the database folder explains the cases.

import { connect } from 'node:net'
import { join } from 'node:path'
import { exponentialBackoff, poll, retry } from '../../platform/retry.ts'
import { type DatabaseLog, StartError } from '../queryable.ts'
import { EMBEDDED_NAME, ensureCluster, findClusterOwner } from './cluster.ts'
import { makeDataDirectory, takeServerLock } from './data-directory.ts'
import { type DirectoryLock, lockHolder, tryLock, tryShare } from './directory-lock.ts'
import { chooseLauncher } from './launcher.ts'
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts'
import { type Postmaster, startPostmaster, stopOrphan } from './postmaster.ts'
import { findPostmasterFile } from './postmaster-file.ts'
import { findSocketDirectory, makeSocketDirectory, removeSocketDirectory } from './socket-directory.ts'

export interface EmbeddedOptions {
  /** An absolute path, created if missing. */
  readonly dataDir: string
  /** There is one server on a DATA_DIR at a time; commands come and go. */
  readonly as: 'server' | 'command'
  readonly log: DatabaseLog
  /** PostgreSQL settings that differ from the product's, for tests. */
  readonly settings?: Readonly<Record<string, string>>
  /** See LauncherOptions. */
  readonly dieWithStarter?: boolean
}

/** A running embedded PostgreSQL. */
export interface EmbeddedPostgres {
  /** The connection parameters. */
  readonly connection: { readonly host: string; readonly user: string; readonly database: string }
  /** Whether PostgreSQL runs under this process (`owner`) or under an earlier one (`guest`). */
  readonly part: () => 'owner' | 'guest'
  /** Ends this process's use: an owner stops PostgreSQL, a guest leaves it running. */
  stop(): Promise<void>
}

// Creating a cluster, or recovering one after a crash, usually takes less.
const JOIN_LIMIT_MS = 30_000
const MAX_PAUSE_MS = 2_000

/**
 * Starts the embedded PostgreSQL of a DATA_DIR, or joins the one that runs there.
 *
 * @throws {StartError} when the directory cannot be used, another server has it, or PostgreSQL does not start.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const binaries = await findPostgresBinaries()
  const place = await makeDataDirectory(options.dataDir)
  const serverLock = options.as === 'server' ? await takeServerLock(options.dataDir, options.log) : undefined
  try {
    const life = new PostgresSupervisor(options, place, binaries)
    const host = await life.begin()
    let stopped: Promise<void> | undefined
    return {
      connection: { host, user: EMBEDDED_NAME, database: EMBEDDED_NAME },
      part: () => life.part,
      stop: () => (stopped ??= life.end().finally(() => serverLock?.release())),
    }
  } catch (error) {
    serverLock?.release()
    throw error
  }
}

class PostgresSupervisor {
  #options: EmbeddedOptions
  #place: string
  #cluster: string
  #ownerPath: string
  #guestsPath: string
  #binaries: PostgresBinaries
  #lock: DirectoryLock | undefined
  #guestLock: DirectoryLock | undefined
  #postmaster: Postmaster | undefined
  #keeping: Promise<void> | undefined
  #ending = new AbortController()

  constructor(options: EmbeddedOptions, place: string, binaries: PostgresBinaries) {
    this.#options = options
    this.#place = place
    this.#cluster = join(place, 'cluster')
    this.#ownerPath = join(place, 'owner.lock')
    this.#guestsPath = join(place, 'guests.lock')
    this.#binaries = binaries
  }

  get part(): 'owner' | 'guest' {
    return this.#lock === undefined ? 'guest' : 'owner'
  }

  /** Returns the directory of PostgreSQL's socket. */
  async begin(): Promise<string> {
    const host = await poll(
      () => {
        this.#lock = tryLock(this.#ownerPath)
        if (this.#lock === undefined) return this.#findRunning()
        this.#leaveGuests()
        return this.#startOrGiveUp()
      },
      { timeoutMs: JOIN_LIMIT_MS, pauseMs: 50 },
    )
    if (host !== undefined) {
      this.#keeping = this.#keep()
      return host
    }
    this.#leaveGuests()
    throw new StartError(
      `The embedded database in ${this.#options.dataDir} is being started or stopped by ${lockHolder(this.#ownerPath)}, which is not making progress: try again, or end that process.`,
    )
  }

  async end(): Promise<void> {
    this.#ending.abort()
    await this.#keeping
    let emptied: DirectoryLock | undefined
    try {
      if (this.#postmaster !== undefined && this.#options.as === 'command')
        emptied = await this.#untilGuestsLeave().catch((error: unknown) => {
          // A lock that cannot be used says nothing about guests. PostgreSQL must stop, or this process would never end.
          this.#options.log.warn((error as Error).message)
          return undefined
        })
      await this.#postmaster?.stop()
      if (this.#lock !== undefined) await removeSocketDirectory(this.#place)
    } finally {
      emptied?.release()
      this.#guestLock?.release()
      this.#lock?.release()
    }
  }

  async #findRunning(): Promise<string | undefined> {
    if (this.#options.as === 'command') this.#guestLock ??= tryShare(this.#guestsPath)
    if (this.#options.as === 'command' && this.#guestLock === undefined) return undefined
    const file = await findPostmasterFile(this.#cluster)
    const host = await findSocketDirectory(this.#place)
    return file?.status === 'ready' && host !== undefined && (await answers(host)) ? host : undefined
  }

  #leaveGuests(): void {
    this.#guestLock?.release()
    this.#guestLock = undefined
  }

  /** Waits until the other processes that use this command's PostgreSQL finish. None can start while the lock is held. */
  async #untilGuestsLeave(): Promise<DirectoryLock> {
    const lock = await poll(
      (attempt) => {
        const taken = tryLock(this.#guestsPath)
        if (taken === undefined && attempt === 21)
          this.#options.log.info('Waiting for other commands that use the database started here.')
        return taken
      },
      { pauseMs: 50 },
    )
    return lock!
  }

  async #startOrGiveUp(): Promise<string> {
    try {
      return await this.#start()
    } catch (error) {
      this.#lock?.release()
      throw error
    }
  }

  /** The caller holds the owner lock. */
  async #start(): Promise<string> {
    const { log, settings, dieWithStarter } = this.#options
    const existingOwner = await findClusterOwner(this.#cluster)
    const launcher = chooseLauncher({ binaries: this.#binaries, existingOwner, dieWithStarter })
    await stopOrphan(this.#cluster, log)
    await ensureCluster(this.#cluster, this.#binaries, launcher)
    const socketDirectory = await makeSocketDirectory(this.#place)
    if (await answers(socketDirectory)) {
      throw new StartError(
        `Another PostgreSQL, perhaps in another container, uses ${this.#cluster}: stop it first.`,
      )
    }
    const program = this.#binaries.postgres
    const options = { program, launcher, cluster: this.#cluster, socketDirectory, settings, log }
    this.#postmaster = await startWhenFree(options)
    log.info(`PostgreSQL ${launcher.version} runs in ${this.#options.dataDir}.`)
    return socketDirectory
  }

  /**
   * Keeps PostgreSQL running while this process needs it. A server that started as a guest of a command takes PostgreSQL over
   * when the command ends. A command never takes it over, because it ends soon.
   */
  async #keep(): Promise<void> {
    const { log } = this.#options
    const afterFailure = exponentialBackoff(50, MAX_PAUSE_MS)
    let failures = 0
    let pauseMs = 0
    const step = async (): Promise<true | undefined> => {
      if (this.#postmaster !== undefined) {
        const reason = await this.#untilEnding(this.#postmaster.ended)
        if (reason === undefined) return true
        log.warn(`PostgreSQL ended (${reason}); restarting it.`)
        this.#postmaster = undefined
      }
      if (this.#lock === undefined && this.#options.as === 'command') return true
      this.#lock ??= tryLock(this.#ownerPath)
      pauseMs = 100
      if (this.#lock === undefined) return undefined
      try {
        await this.#start()
        failures = 0
        pauseMs = 0
      } catch (error) {
        log.warn((error as Error).message)
        pauseMs = afterFailure(++failures)
      }
      return undefined
    }
    await poll(step, { pauseMs: () => pauseMs, signal: this.#ending.signal })
  }

  async #untilEnding<T>(promise: Promise<T>): Promise<T | undefined> {
    const { signal } = this.#ending
    const { promise: aborted, resolve } = Promise.withResolvers<undefined>()
    const onAbort = () => resolve(undefined)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await Promise.race([promise, aborted])
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }
}

// After PostgreSQL is killed, its processes run on until they notice. Until then a new one refuses to start.
function startWhenFree(options: Parameters<typeof startPostmaster>[0]): Promise<Postmaster> {
  return retry(
    async (attempt) => {
      if (attempt > 1) await stopOrphan(options.cluster, options.log)
      return await startPostmaster(options)
    },
    {
      timeoutMs: 10_000,
      pauseMs: 100,
      mayPass: (error) => /still in use|lock file .* already exists/.test((error as Error).message),
    },
  )
}

/** Whether something accepts connections on the socket. */
function answers(socketDirectory: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(join(socketDirectory, '.s.PGSQL.5432'))
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
