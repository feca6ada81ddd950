// The bad network alters nothing: what comes through it is what was sent, or a beginning of it.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startFaultProxy } from '../src/fault-proxy.ts'
import { seeded } from '../src/random.ts'

const SENT = Buffer.from(Array.from({ length: 40_000 }, (_, at) => at % 251))

/** Everything that comes back from a server which sends SENT to each client that connects. */
async function received(port: number): Promise<Buffer> {
  const socket = connect(port, '127.0.0.1')
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece))
  socket.on('error', () => {})
  await new Promise((closed) => socket.once('close', closed))
  return Buffer.concat(pieces)
}

it('the fault proxy delivers a prefix of the data during faults and all of it afterwards', async () => {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket.on('error', () => {}))
    socket.end(SENT)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target = () => (server.address() as { port: number }).port
  const proxy = await startFaultProxy({ target, random: seeded('7'), trouble: 1 })
  onTestFinished(async () => {
    await proxy.stop()
    for (const socket of open) socket.destroy()
    server.close()
  })
  const through = await Promise.all(Array.from({ length: 30 }, () => received(proxy.port)))
  for (const bytes of through) expect(bytes.equals(SENT.subarray(0, bytes.length))).toBe(true)
  expect(proxy.counts.troubled).toBe(30)
  expect(through.some(({ length }) => length < SENT.length)).toBe(true)
  proxy.calm()
  expect((await received(proxy.port)).equals(SENT)).toBe(true)
})
