// Starts the reference provider as a process, sets its faults, and stops it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Property } from '@lotline/contract'
import { afterAll, beforeAll } from 'vitest'
import { COMPILE_CACHE } from '../child-process.ts'
import type { Fault } from './faults.ts'
import type { FaultOrder, ReceivedQuery } from './main.ts'

export { type Fault, PROVIDER_WORDS } from './faults.ts'
export type { ReceivedQuery } from './main.ts'

export interface ReferenceProvider {
  readonly url: string
  /** Applies a fault to the next `times` queries, or to all. */
  fail(fault: Fault, times?: number): Promise<void>
  /** Replaces its records. */
  setRecords(records: readonly object[]): Promise<void>
  /** Removes the fault. */
  recover(): Promise<void>
  /** The queries since the last call of this function. */
  takeAsked(): Promise<readonly ReceivedQuery[]>
  stop(): Promise<void>
}

export interface ReferenceProviderOptions {
  readonly records: Iterable<Property>
  readonly token?: string
  /** Default: any free one. */
  readonly port?: number
}

/** Resolves when it listens. Call `stop` afterwards. */
export async function startReferenceProvider(options: ReferenceProviderOptions): Promise<ReferenceProvider> {
  const directory = await mkdtemp(join(tmpdir(), 'lotline-provider-'))
  const file = join(directory, 'records.ndjson')
  await writeFile(file, Array.from(options.records, (record) => `${JSON.stringify(record)}\n`).join(''))
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, 'main.ts'),
      '--file',
      file,
      '--port',
      String(options.port ?? 0),
      ...(options.token === undefined ? [] : ['--token', options.token]),
    ],
    { env: COMPILE_CACHE, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const exited = once(child, 'exit')

  async function stop(): Promise<void> {
    child.kill('SIGKILL')
    await exited
    await rm(directory, { recursive: true, force: true })
  }

  const [url] = (await Promise.race([once(createInterface(child.stdout), 'line'), exited])) as [unknown]
  if (typeof url !== 'string') {
    await stop()
    throw new Error('The reference provider ended before it listened.')
  }

  async function order(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${url}/control/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    return response.json()
  }

  return {
    url,
    async fail(fault, times) {
      await order('PUT', 'fault', { fault, ...(times !== undefined && { times }) } satisfies FaultOrder)
    },
    async setRecords(records) {
      await order('PUT', 'records', records)
    },
    async recover() {
      await order('DELETE', 'fault')
    },
    async takeAsked() {
      const asked = (await order('GET', 'asked')) as ReceivedQuery[]
      await order('DELETE', 'asked')
      return asked
    },
    stop,
  }
}

/** Settings of a service that uses it as its provider. It can start later than the service. */
export function settingsFor(provider: Pick<ReferenceProvider, 'url'>) {
  return {
    PROVIDER: 'http',
    get PROVIDER_URL() {
      return provider.url
    },
  }
}

/** A provider for the test file (or `describe`) that calls this at its top. */
export function withReferenceProvider(options: ReferenceProviderOptions): ReferenceProvider {
  let started: ReferenceProvider | undefined
  beforeAll(async () => {
    started = await startReferenceProvider(options)
  })
  afterAll(async () => started?.stop())
  const get = (): ReferenceProvider => {
    if (!started) throw new Error('The reference provider exists from beforeAll on.')
    return started
  }
  return {
    get url() {
      return get().url
    },
    fail: (fault, times) => get().fail(fault, times),
    setRecords: (records) => get().setRecords(records),
    recover: () => get().recover(),
    takeAsked: () => get().takeAsked(),
    stop: () => get().stop(),
  }
}
