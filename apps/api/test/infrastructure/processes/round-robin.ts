// A round-robin proxy before several API processes, like that of an operator.

import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface RoundRobin {
  readonly url: string
  /** Base URLs; may be changed at any time. */
  targets: readonly string[]
}

/** Runs until the test ends. Clients of a dead process get a broken connection. */
export async function startRoundRobin(targets: readonly string[]): Promise<RoundRobin> {
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const proxy = { url: '', targets }
  const server = createServer((incoming, outgoing) => {
    const target = new URL(incoming.url!, proxy.targets[turn++ % proxy.targets.length])
    const { method, headers } = incoming
    const passed = request(target, { method: method!, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.rawHeaders)
      answer.pipe(outgoing)
      answer.once('error', () => outgoing.destroy())
    })
    passed.once('error', () => outgoing.destroy())
    outgoing.once('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}
