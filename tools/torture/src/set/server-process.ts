// One process of the service: started on a fixed port with the shifted clock, and waited for until it is ready.

import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, startChild } from './child.ts'
import type { ServiceProcess } from './torture-set.ts'
import { until } from './until.ts'

const MAIN = new URL('../../../../apps/api/src/process/main.ts', import.meta.url)
const CLOCK = new URL('./shifted-clock.ts', import.meta.url)
/** A start may wait for a repair of the database, or for the lease of a predecessor that was killed. */
const START_LIMIT_MS = 120_000
/** The service gives itself 30 s to stop. */
const STOP_LIMIT_MS = 45_000

export interface StartedProcess extends ServiceProcess {
  readonly port: number
  isReady(): Promise<boolean>
  stop(): Promise<void>
}

export function serviceProcess(options: {
  readonly name: string
  readonly port: number
  readonly env: Readonly<Record<string, string>>
  readonly clockFile: string
  readonly output: string
}): StartedProcess {
  const { name, port, env, clockFile, output } = options
  let child: Child | undefined
  let isTold = false
  let unasked: string | undefined

  async function isReady(): Promise<boolean> {
    if (!child || child.ended) return false
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) })
      await answer.arrayBuffer()
      return answer.status === 200
    } catch {
      return false
    }
  }

  return {
    name,
    port,
    isReady,
    get pid() {
      return child && !child.ended ? child.pid : undefined
    },
    get unasked() {
      return unasked
    },
    signal(signal) {
      if (signal === 'SIGKILL' || signal === 'SIGTERM') isTold = true
      child?.kill(signal)
    },
    async untilEnded() {
      const limit = new AbortController()
      const late = sleep(STOP_LIMIT_MS, undefined, limit).then(
        () => Promise.reject(new Error(`${name} did not end within ${STOP_LIMIT_MS / 1_000} s.`)),
        () => new Promise<never>(() => {}),
      )
      try {
        return await Promise.race([child!.exited, late])
      } finally {
        limit.abort()
      }
    },
    async start() {
      isTold = false
      const started = startChild(MAIN, {
        nodeArgs: ['--import', CLOCK.href],
        env: { ...env, PORT: String(port), HOST: '127.0.0.1', LOTLINE_TORTURE_CLOCK: clockFile },
        output,
      })
      child = started
      void started.exited.then(({ code, signal }) => {
        if (!isTold) unasked = `${name} ended by itself with ${code ?? signal}.`
      })
      let isUp = false
      await until(async () => {
        isUp = await isReady()
        return isUp || started.ended
      }, START_LIMIT_MS)
      if (isUp) return
      const said = (await readFile(output, 'utf8')).trimEnd().split('\n').at(-1)
      throw new Error(`${name} was not ready within ${START_LIMIT_MS / 1_000} s. Its last output: ${said}`)
    },
    async stop() {
      isTold = true
      await child?.stop()
    },
  }
}
