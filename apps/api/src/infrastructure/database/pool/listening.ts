// LISTEN on a connection of its own, for any number of channels. After a lost connection, notifications may have been missed, so
// every listener is called once with an empty payload, and reads the state itself.

import pg from 'pg'
import { exponentialBackoff, poll } from '../../platform/retry.ts'
import type { DatabaseLog } from '../queryable.ts'
import { CONNECT_TIMEOUT_MS, clientConfig } from './connections.ts'
import { DatabaseUnavailable, shortReason } from './unavailable.ts'

export interface NotificationListener {
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 1_000

/** Connects for the first channel. */
export function startListening(target: pg.ClientConfig, log: DatabaseLog): NotificationListener {
  const channels = new Map<string, Set<(payload: string) => void>>()
  const closing = new AbortController()
  let client: pg.Client | undefined
  let connected = promiseClient()
  let keeping: Promise<void> | undefined
  let lastSent: Promise<unknown> = Promise.resolve()

  /** Sends the statements of a connection one after the other, even if many listeners start and stop at once. */
  function send(connection: pg.Client, statement: string): Promise<unknown> {
    const sent = lastSent.then(() => connection.query(statement))
    lastSent = sent.catch(() => {})
    return sent
  }

  function call(listener: (payload: string) => void, payload: string): void {
    try {
      listener(payload)
    } catch (error) {
      log.warn(`A notification listener failed: ${shortReason(error)}.`)
    }
  }

  async function keepConnected(): Promise<void> {
    const afterFailure = exponentialBackoff(FIRST_PAUSE_MS, MAX_PAUSE_MS)
    let failures = 0
    let missed = false
    const connect = async (): Promise<void> => {
      const fresh = new pg.Client({ ...clientConfig(target), connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
      const ended = new Promise<void>((resolve) => fresh.once('end', resolve))
      fresh.on('error', (error) => log.debug(`The listening connection ended: ${shortReason(error)}.`))
      fresh.on('notification', ({ channel, payload }) => {
        for (const listener of channels.get(channel) ?? []) call(listener, payload ?? '')
      })
      try {
        await fresh.connect()
        for (const channel of channels.keys()) await fresh.query(`listen ${pg.escapeIdentifier(channel)}`)
        client = fresh
        connected.resolve(fresh)
        if (missed) for (const set of channels.values()) for (const listener of set) call(listener, '')
        failures = 0
        missed = true
        if (!closing.signal.aborted) await ended
      } catch (error) {
        log.debug(`The listening connection failed: ${shortReason(error)}.`)
      } finally {
        // Statements that wait for a failed connection wait for the next one.
        if (client === fresh) connected = promiseClient()
        client = undefined
        void fresh.end().catch(() => {})
      }
    }
    await poll(connect, { pauseMs: () => afterFailure(++failures), signal: closing.signal })
    connected.reject(new DatabaseUnavailable('The database connection pool is closed.'))
  }

  return {
    async listen(channel, onNotify) {
      if (closing.signal.aborted) throw new DatabaseUnavailable('The database connection pool is closed.')
      // Each call has its own entry, even with the same function.
      const listener = (payload: string) => onNotify(payload)
      const set = channels.get(channel) ?? new Set()
      channels.set(channel, set.add(listener))
      keeping ??= keepConnected()
      await established(channel)
      return async () => {
        set.delete(listener)
        if (set.size > 0 || channels.get(channel) !== set) return
        channels.delete(channel)
        if (client) await send(client, `unlisten ${pg.escapeIdentifier(channel)}`).catch(() => {})
      }
    },
    async close() {
      closing.abort()
      await client?.end().catch(() => {})
      await keeping
    },
  }

  // A connection may end before the statement is sent; the next one listens to all channels anyway.
  async function established(channel: string): Promise<void> {
    for (;;) {
      const current = await connected.promise
      try {
        await send(current, `listen ${pg.escapeIdentifier(channel)}`)
        return
      } catch (error) {
        if (current === client) throw error
      }
    }
  }
}

function promiseClient(): PromiseWithResolvers<pg.Client> {
  const promised = Promise.withResolvers<pg.Client>()
  // It can reject at the end when nothing awaits it.
  promised.promise.catch(() => {})
  return promised
}
