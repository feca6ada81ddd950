// The start command of README.md, whole: npx, pnpm and their shells around the service.

import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { findPostmasterFile, isAlive } from '../../../src/infrastructure/database/embedded/postmaster-file.ts'
import { findFreePort } from '../../infrastructure/processes/store-process.ts'
import { COMPILE_CACHE } from '../../setup/child-process.ts'
import { makePreparedDataDirectory } from '../../setup/prepared-cluster.ts'
import { needProgram } from './find-program.ts'
import { README, ROOT } from './readme.ts'

// A quarter of a minute of two cores for the shells around what start.test.ts stops in the same way.
const FULL = process.env.LOTLINE_FULL === '1'

it.runIf(FULL)(
  'SIGTERM to `npx … start` stops the service and its PostgreSQL',
  { timeout: 300_000 },
  async (context) => {
    const [, start] = /^(npx -y pnpm@\S+ start) /m.exec(README)!
    const npx = needProgram(context, ['npx'], 'a signal to `npx … start` stops the service')
    const dataDir = await makePreparedDataDirectory()
    const { PATH = '', HOME = '' } = process.env
    const child = spawn(npx, start!.split(' ').slice(1), {
      cwd: ROOT,
      env: {
        ...COMPILE_CACHE,
        PATH,
        HOME,
        DATA_DIR: dataDir,
        PORT: String(await findFreePort()),
        SAMPLE_DATA: 'off',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = new Promise((resolve) => child.once('exit', resolve))
    onTestFinished(async () => {
      const service = Number(await readFile(join(dataDir, 'server.lock.pid'), 'utf8').catch(() => '0'))
      if (service > 0 && isAlive(service)) process.kill(service, 'SIGKILL')
      child.kill('SIGKILL')
      await exited
    })
    for await (const line of createInterface({ input: child.stdout })) if (/serves http/.test(line)) break
    child.stdout.resume()
    const service = Number(await readFile(join(dataDir, 'server.lock.pid'), 'utf8'))
    const postgres = (await findPostmasterFile(join(dataDir, 'postgres', 'cluster')))!.pid
    expect([isAlive(service), isAlive(postgres)]).toEqual([true, true])

    child.kill('SIGTERM')
    await exited
    for (const end = performance.now() + 30_000; isAlive(service) || isAlive(postgres); await sleep(50)) {
      if (performance.now() > end) throw new Error('The service still runs.')
    }
  },
)
