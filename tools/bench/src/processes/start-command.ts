// The README's start command, as somebody types it in a folder of their own: from its first letter until it has printed
// what tells that the service answers.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from './api.ts'

const LIMIT_MS = 300_000
const STOP_LIMIT_MS = 40_000
/** What a shell of somebody else would have set too. Nothing of this run's own settings reaches the command. */
const KEPT = /^(PATH|HOME|USER|LANG|TMPDIR|SSL_CERT_FILE|NODE_EXTRA_CA_CERTS|npm_config_registry|\w+_proxy)$/i

/** Seconds until a line of the command's output has the text. The command is ended afterwards, as by Ctrl-C. */
export async function timeStart(folder: string, awaited: string): Promise<number> {
  const { packageManager } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    packageManager: string
  }
  const began = performance.now()
  const child = spawn('npx', ['-y', packageManager, 'start'], {
    cwd: folder,
    env: { ...outerEnvironment(), PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, which Ctrl-C of a terminal would reach as a whole.
    detached: true,
  })
  const signalAll = (signal: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, signal)
    } catch {
      // It has ended.
    }
  }
  const killAll = () => signalAll('SIGKILL')
  process.once('exit', killAll)
  const closed = once(child, 'close')
  const late = setTimeout(killAll, LIMIT_MS)
  let text = ''
  try {
    child.stderr.on('data', (part) => (text += part))
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (part) => {
        text += part
        if (text.includes(awaited)) resolve()
      })
      child.once('error', reject)
      child.once('close', () => reject(new Error(`the start command ended: ${text.trim().slice(-500)}`)))
    })
    return (performance.now() - began) / 1_000
  } finally {
    clearTimeout(late)
    signalAll('SIGINT')
    const stubborn = setTimeout(killAll, STOP_LIMIT_MS)
    await closed
    clearTimeout(stubborn)
    process.off('exit', killAll)
  }
}

function outerEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && KEPT.test(entry[0]),
  )
  const env = Object.fromEntries(entries)
  // pnpm puts this workspace's programs in front.
  const path = (env.PATH ?? '').split(':').filter((part) => !part.includes('node_modules'))
  return { ...env, PATH: path.join(':') }
}
