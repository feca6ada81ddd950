// The service as a process: embedded database, sample data, a free port, and accounts for the scenarios.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startReceiver } from './receiver.ts'
import { runProgram } from './run-program.ts'

/** The files that a running service serves. */
export type DocumentName = 'openapi.json' | 'openapi-3.0.json'

const SOURCE = fileURLToPath(new URL('../../../apps/api/src/', import.meta.url))
/** A first start creates a database and loads the sample. */
const START_TIMEOUT_MS = 240_000
const STOP_TIMEOUT_MS = 20_000

export interface RunningService {
  readonly url: string
  readonly receiverUrl: string
  /** Accounts of one generator: each scenario spends its own credits and its own requests. */
  openAccounts(): Promise<ScenarioAccounts>
  /** An account with the options of `lotline accounts create`. */
  openAccount(...options: string[]): Promise<{ readonly id: string; readonly key: string }>
  /** Runs `lotline` against the service, and returns what it prints. */
  command(...args: string[]): Promise<string>
  /** A document as the service serves it. */
  readDocument(name: DocumentName): Promise<string>
  close(): Promise<void>
}

export interface ScenarioAccounts {
  readonly key: string
  /** Of an account that cannot pay for a search: every call answers 402. */
  readonly emptyKey: string
  /** Of an account that may make two calls a minute. */
  readonly limitedKey: string
}

export async function startService(): Promise<RunningService> {
  const folder = await mkdtemp(join(tmpdir(), 'lotline-generators-'))
  const env = {
    DATA_DIR: join(folder, 'data'),
    HOST: '127.0.0.1',
    PORT: '0',
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'on',
    LOG_LEVEL: 'warn',
  }
  const receiver = await startReceiver()
  const child = spawn(process.execPath, [join(SOURCE, 'process/main.ts')], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)

  async function close() {
    await stop(child)
    process.removeListener('exit', endWithUs)
    await receiver.close()
    await rm(folder, { recursive: true, force: true })
  }

  function command(...args: string[]): Promise<string> {
    return runProgram(process.execPath, [join(SOURCE, 'interfaces/cli/main.ts'), ...args], { env })
  }

  async function openAccount(...options: string[]) {
    const output = await command('accounts', 'create', ...options, '--json')
    const opened = JSON.parse(output.slice(output.indexOf('{')))
    return { id: opened.account_id as string, key: opened.key as string }
  }

  try {
    const url = await untilServed(child)
    return {
      url,
      receiverUrl: receiver.url,
      async openAccounts() {
        const [key, emptyKey, limitedKey] = await Promise.all([
          openAccount('--plan', 'monthly'),
          openAccount('--plan', 'custom', '--credits', '0'),
          openAccount('--plan', 'custom', '--rate', '2'),
        ])
        return { key: key!.key, emptyKey: emptyKey!.key, limitedKey: limitedKey!.key }
      },
      openAccount,
      command,
      async readDocument(name) {
        const response = await fetch(`${url}/${name}`)
        if (!response.ok) throw new Error(`GET /${name} returned status ${response.status} instead of 200.`)
        return response.text()
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The URL that the service prints when it is ready. */
function untilServed(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const late = setTimeout(
      () => reject(new Error(`The service did not start within ${START_TIMEOUT_MS / 1_000} s:\n${output}`)),
      START_TIMEOUT_MS,
    )
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        const url = /serves (http:\S+)/.exec(output)?.[1]
        if (url === undefined) return
        clearTimeout(late)
        resolve(url)
      })
    }
    child.once('exit', (code) => {
      clearTimeout(late)
      reject(new Error(`The service ended with ${code}:\n${output}`))
    })
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await once(child, 'exit')
  clearTimeout(late)
}
