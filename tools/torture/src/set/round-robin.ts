// What stands in front of several processes: each connection goes to the next of them, or, where that one is not there,
// to the one after it.

import { connect, createServer, type Socket } from 'node:net'

export interface RoundRobin {
  readonly port: number
  stop(): Promise<void>
}

export async function startRoundRobin(ports: readonly number[]): Promise<RoundRobin> {
  const sockets = new Set<Socket>()
  let turn = 0

  function keep(socket: Socket): Socket {
    sockets.add(socket)
    return socket.once('close', () => sockets.delete(socket))
  }

  function passOn(near: Socket, triesLeft: number): void {
    const port = ports[turn++ % ports.length]!
    const far = keep(connect({ port, host: '127.0.0.1', noDelay: true }))
    let isConnected = false
    far.once('connect', () => {
      isConnected = true
      near.pipe(far).pipe(near)
    })
    far.on('error', () => {
      if (isConnected) near.destroy()
    })
    far.once('close', () => {
      // What it has sent may still be on its way to a slow client.
      if (isConnected) near.end()
      else if (triesLeft === 0 || near.destroyed) near.destroy()
      else passOn(near, triesLeft - 1)
    })
    near.once('close', () => far.destroy())
  }

  const server = createServer({ noDelay: true }, (near) => {
    keep(near).on('error', () => {})
    passOn(near, ports.length - 1)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as { port: number }).port,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}
