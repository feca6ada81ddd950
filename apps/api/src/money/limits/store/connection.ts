// One connection to Valkey or Redis: scripts, and messages about them. Commands are sent without waiting for each other,
// so that many calls share a round trip. A command answers, or fails with `LimitsUnavailable` within a second; nothing is
// kept to be sent later, since by then it would mean something else. It reconnects automatically.
//
// The client is ioredis: it speaks RESP3, in which one connection carries commands and messages in one order.

import { Redis, ReplyError } from 'ioredis'
import type { Logger } from 'pino'
import { reasonOf } from '../../../infrastructure/database.ts'
import { LimitsUnavailable } from '../limits.ts'
import { SCRIPTS, type ScriptName } from './scripts.ts'

export interface StoreConnection {
  readonly isUp: boolean
  /** Why it was last not up. */
  readonly lastTrouble: Error | undefined
  run: RunScript
  /** RPUSHX: how long the queue is with the ticket; 0 where there is no such queue. */
  push(queue: string, ticket: string): Promise<number>
  /** Names this run of the server: another after each restart and failover. */
  readRun(): Promise<string>
  subscribe(channel: string): Promise<void>
  /** Gives the connection up, which seems dead, and makes another. One on which answers still come is kept. */
  reconnect(): void
  close(): Promise<void>
}

/** A word that says what came of it, then what the script says it answers. */
export type StoreReply = readonly (string | number | null)[]
/** A script that does several things at once (`enter`, `line`) has a reply for each; or one `rejoin` for all of them. */
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
    // A primary that has become a replica: a new connection finds the new primary.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    scripts: { ...SCRIPTS },
  })
  const scripts = client as unknown as Record<ScriptName, StoreCommand>
  let lastTrouble: Error | undefined
  /** When the server last said anything, be it an error. */
  let answeredAt = performance.now()
  let isGivenUp = false
  client.on('error', (error) => {
    lastTrouble = toPlainError(error)
    log.debug({ err: lastTrouble }, 'trouble with the store of the rate limits')
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
      // Asked for again until the connection is closed.
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

/** The client's own errors carry the command, which may be the one with the password. */
function toPlainError(error: unknown): Error {
  return new Error(reasonOf(error))
}

/** A store that evicts keys when it is full would admit calls that were not counted. */
function warnOfEviction(info: string, log: Logger): void {
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1]
  if (policy === undefined || policy === 'noeviction') return
  log.warn({ policy }, 'the store of the rate limits may evict them: set its maxmemory-policy to noeviction')
}
