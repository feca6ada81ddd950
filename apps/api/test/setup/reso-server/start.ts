// The server of a RESO feed as tests use it: started as a process of its own, filled, given faults, and ended.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { COMPILE_CACHE } from '../child-process.ts'
import type { AskedPage, FeedFault, ServerOptions } from './main.ts'

export type { AskedPage, FeedFault, ServerOptions } from './main.ts'

export interface ResoServer {
  /** Base URL of the feed. */
  readonly url: string
  /** Where tokens are issued. */
  readonly tokenUrl: string
  /** Adds records, or replaces those of the same key. */
  put(records: readonly object[]): Promise<void>
  delete(keys: readonly string[]): Promise<void>
  behave(options: ServerOptions): Promise<void>
  /** Begins the sequence of its accidents again. */
  seed(seed: number): Promise<void>
  /** The keys of all records. */
  keys(): Promise<readonly string[]>
  /** Spoils `times` responses, after `after` right ones. */
  fail(fault: FeedFault, order?: { readonly after?: number; readonly times?: number }): Promise<void>
  recover(): Promise<void>
  /** The calls since the last call of this. */
  takeAsked(): Promise<readonly AskedPage[]>
  violations(): Promise<number>
  /** As it was at the start. */
  reset(): Promise<void>
  stop(): Promise<void>
}

/** Resolves when it listens. `stop` it. */
export async function startResoServer(): Promise<ResoServer> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: COMPILE_CACHE,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [origin] = (await Promise.race([once(createInterface(child.stdout), 'line'), exited])) as [unknown]
  if (typeof origin !== 'string') throw new Error('The server of the feed ended before it listened.')

  async function order<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${origin}/control/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as T
  }

  return {
    url: `${origin}/odata`,
    tokenUrl: `${origin}/token`,
    put: (records) => order('PUT', 'records', records),
    delete: (keys) => order('DELETE', 'records', keys),
    behave: (options) => order('PUT', 'options', options),
    seed: (seed) => order('PUT', 'seed', seed),
    keys: () => order('GET', 'records'),
    fail: (fault, given = {}) => order('PUT', 'fault', { fault, ...given }),
    recover: () => order('DELETE', 'fault'),
    takeAsked: () => order('GET', 'asked'),
    violations: () => order('GET', 'violations'),
    reset: () => order('PUT', 'reset'),
    async stop() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** One for the test file that calls this at its top, reset before each test. */
export function withResoServer(): ResoServer {
  let server: ResoServer | undefined
  beforeAll(async () => {
    server = await startResoServer()
  })
  afterAll(async () => server?.stop())
  beforeEach(async () => server!.reset())
  return new Proxy({} as ResoServer, { get: (_target, name) => server![name as keyof ResoServer] })
}
