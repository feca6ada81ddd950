// A connection to Valkey or Redis, for scripts and messages. Commands are pipelined, so that many calls share a round trip. A
// command returns, or fails with `LimitsUnavailable` within a second. Commands are not queued while the connection is down,
// because they would mean something else later. The connection reconnects automatically.
//
// The client is ioredis, because it speaks RESP3, in which one connection carries commands and messages in one order.

// Why: decisions/money/ioredis.md

import { Redis, ReplyError } from 'ioredis'
import type { Logger } from 'pino'
import { shortReason } from '../../../infrastructure/database.ts'
import { LimitsUnavailable } from '../limits.ts'
import { SCRIPTS, type ScriptName } from './scripts.ts'

export interface StoreConnection {
  readonly isUp: boolean
  /** The last reason why it was down. */
  readonly lastTrouble: Error | undefined
  run: RunScript
  /** RPUSHX: returns the length of the queue with the ticket, or 0 if the queue does not exist. */
  push(queue: string, ticket: string): Promise<number>
  /** The id of this run of the server, which changes with each restart and failover. */
  readRun(): Promise<string>
  subscribe(channel: string): Promise<void>
  /** Replaces a connection that seems dead. A connection that still gets responses is kept. */
  reconnect(): void
  close(): Promise<void>
}

/** A word for the outcome, followed by values that depend on the script. */
export type StoreReply = readonly (string | number | null)[]
/** A script with several requests (`enter`, `line`) has a reply for each, or one `rejoin` for all. */
export interface RunScript {
  (
    script: 'enter' | 'line',
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<readonly StoreReply[] | readonly ['rejoin']>
  (
    script: Exclude<ScriptName, 'enter' | 'line'>,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<StoreReply>
}

export interface StoreEvents {
  readonly onUp: () => void
  readonly onDown: () => void
  readonly onMessage: (message: string, channel: string) => void
}

export interface StoreConnectionOptions extends StoreEvents {
  readonly url: string
  readonly log: Logger
}

const REPLY_TIMEOUT_MS = 1_000
const CONNECT_TIMEOUT_MS = 2_000
const MAX_PAUSE_MS = 500

type StoreCommand = (...args: (string | number)[]) => Promise<never>

export function connectStore({ url, log, onUp, onDown, onMessage }: StoreConnectionOptions): StoreConnection {
  const client = new Redis(url.replace(/^valkey/, 'redis'), {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    commandTimeout: REPLY_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    connectionName: 'lotline',
    keepAlive: 10_000,
    retryStrategy: (attempt) => Math.min(attempt * 50, MAX_PAUSE_MS),
    // On a primary that became a replica, a new connection finds the new primary.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    scripts: { ...SCRIPTS },
  })
  const scripts = client as unknown as Record<ScriptName, StoreCommand>
  let lastTrouble: Error | undefined
  /** The time of the server's last response, including errors. */
  let answeredAt = performance.now()
  let isGivenUp = false
  client.on('error', (error) => {
    lastTrouble = toPlainError(error)
    log.debug({ err: lastTrouble }, 'the connection to the store of the rate limits failed')
  })
  client.on('ready', () => {
    answeredAt = performance.now()
    onUp()
  })
  client.on('close', () => {
    isGivenUp = false
    onDown()
  })
  client.on('message', (channel, message) => onMessage(message, channel))
  client.connect().catch(() => {})

  async function answer<T>(asked: Promise<T>): Promise<T> {
    try {
      const answered = await asked
      answeredAt = performance.now()
      return answered
    } catch (error) {
      if (error instanceof ReplyError) answeredAt = performance.now()
      lastTrouble = toPlainError(error)
      throw new LimitsUnavailable('The store of the rate limits cannot be used now.', { cause: lastTrouble })
    }
  }

  return {
    get isUp() {
      return client.status === 'ready'
    },
    get lastTrouble() {
      return lastTrouble
    },
    run(script: ScriptName, keys: readonly string[], values: readonly (string | number)[]) {
      const count = 'numberOfKeys' in SCRIPTS[script] ? [] : [keys.length]
      return answer(scripts[script](...count, ...keys, ...values))
    },
    push: (queue, ticket) => answer(client.rpushx(queue, ticket)),
    async readRun() {
      const info = await answer(client.info())
      warnOfEviction(info, log)
      return /^run_id:(\S+)/m.exec(info)?.[1] ?? ''
    },
    async subscribe(channel) {
      await answer(client.subscribe(channel))
    },
    reconnect() {
      // Requested again until the connection is closed.
      if (isGivenUp || performance.now() - answeredAt < REPLY_TIMEOUT_MS) return
      isGivenUp = true
      client.disconnect(true)
    },
    async close() {
      await client.quit().catch(() => {})
      client.disconnect()
    },
  }
}

/** The client's errors contain the command, which may include the password. */
function toPlainError(error: unknown): Error {
  return new Error(shortReason(error))
}

/** A store that evicts keys when it is full would lose counted calls. */
function warnOfEviction(info: string, log: Logger): void {
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1]
  if (policy === undefined || policy === 'noeviction') return
  log.warn(
    { policy },
    'the store of the rate limits may evict counted calls: set its maxmemory-policy to noeviction',
  )
}
