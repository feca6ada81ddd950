import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const LIMIT_MS = 30_000

/** Resolves when something accepts connections on the port of this machine. */
export async function untilAccepts(port: number): Promise<void> {
  for (const end = performance.now() + LIMIT_MS; !(await accepts(port)); await sleep(10)) {
    if (performance.now() > end)
      throw new Error(`nothing answered on port ${port} within ${LIMIT_MS / 1_000} s`)
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
