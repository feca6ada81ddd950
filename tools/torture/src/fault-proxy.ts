// A TCP proxy that is a bad network: it delays, trickles, resets, cuts off and freezes connections, as a seed tells it.
// It never alters a byte: what arrives through it is what was sent, or less.

import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from './random.ts'

export interface FaultProxy {
  readonly port: number
  /** Connections that were made, and those of them that were to suffer something. */
  readonly counts: { connections: number; troubled: number }
  /** Cuts all connections, and is a good network from now on. */
  calm(): void
  stop(): Promise<void>
}

export interface FaultProxyOptions {
  /** Port on loopback that connections are passed on to; asked anew for each. */
  readonly target: () => number
  readonly random: Random
  /** How many of the connections suffer something, from 0 to 1. */
  readonly trouble: number
}

/** What befalls a connection. Bytes are counted over both directions. */
type Fate =
  | { readonly kind: 'clean' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'trickle'; readonly bytes: number; readonly ms: number }
  | { readonly kind: 'reset' | 'end'; readonly afterBytes: number }
  | { readonly kind: 'freeze'; readonly afterBytes: number; readonly ms: number }

const CLEAN: Fate = { kind: 'clean' }
const HALF_OPEN_MS = 5_000

export async function startFaultProxy({ target, random, trouble }: FaultProxyOptions): Promise<FaultProxy> {
  const counts = { connections: 0, troubled: 0 }
  const sockets = new Set<Socket>()
  let isCalm = false

  function chooseFate(): Fate {
    // Drawn for every connection, so that calm ones shift nothing.
    const [troubled, afterBytes] = [random.chance(trouble), random.int(1, 30_000)]
    const kind = random.pick(['delay', 'trickle', 'reset', 'end', 'freeze'] as const)
    const ms = random.int(1, 60)
    counts.connections++
    if (isCalm || !troubled) return CLEAN
    counts.troubled++
    switch (kind) {
      case 'delay':
        return { kind, ms }
      case 'trickle':
        return { kind, bytes: random.int(1, 700), ms: 2 }
      case 'freeze':
        return { kind, afterBytes, ms: ms * 30 }
      default:
        return { kind, afterBytes }
    }
  }

  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    const far = connect({ port: target(), host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => sockets.delete(socket))
    }
    const fate = chooseFate()
    const passed: PassedBytes = { bytes: 0, hasFrozen: false }
    const ways = [pass(near, far, fate, passed), pass(far, near, fate, passed)]
    // A side that learns that the other has ended gets time to end, too.
    void Promise.race(ways).then(() => {
      const late = setTimeout(gone, HALF_OPEN_MS)
      void Promise.all(ways).then(() => clearTimeout(late))
    })
    function gone(): void {
      near.destroy()
      far.destroy()
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as { port: number }).port,
    counts,
    calm() {
      isCalm = true
      for (const socket of sockets) socket.destroy()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

interface PassedBytes {
  bytes: number
  hasFrozen: boolean
}

/** Passes on what `from` sends, piece by piece, as slowly as `to` takes it; and then that it has ended. */
async function pass(from: Socket, to: Socket, fate: Fate, passed: PassedBytes): Promise<void> {
  try {
    for await (const piece of from) {
      passed.bytes += (piece as Buffer).length
      await passPiece(piece as Buffer, to, fate, passed)
    }
    to.end()
  } catch {
    // One of them is gone, or the fate has it so.
    from.destroy()
    to.destroy()
  }
}

class BrokenConnection extends Error {}

async function passPiece(piece: Buffer, to: Socket, fate: Fate, passed: PassedBytes): Promise<void> {
  switch (fate.kind) {
    case 'clean':
      return write(to, piece)
    case 'delay':
      await sleep(fate.ms)
      return write(to, piece)
    case 'trickle':
      for (let at = 0; at < piece.length; at += fate.bytes) {
        await write(to, piece.subarray(at, at + fate.bytes))
        await sleep(fate.ms)
      }
      return
    case 'freeze':
      if (!passed.hasFrozen && passed.bytes >= fate.afterBytes) {
        passed.hasFrozen = true
        await sleep(fate.ms)
      }
      return write(to, piece)
    case 'reset':
      if (passed.bytes < fate.afterBytes) return write(to, piece)
      to.resetAndDestroy()
      throw new BrokenConnection()
    case 'end': {
      if (passed.bytes < fate.afterBytes) return write(to, piece)
      const last = piece.subarray(0, Math.max(0, piece.length - (passed.bytes - fate.afterBytes)))
      await write(to, last)
      await new Promise<void>((ended) => to.end(ended))
      throw new BrokenConnection()
    }
  }
}

/** Resolves when there is room for more. */
async function write(to: Socket, bytes: Buffer): Promise<void> {
  if (to.destroyed) throw new BrokenConnection()
  if (to.write(bytes)) return
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const broken = () => reject(new BrokenConnection())
  to.once('drain', resolve).once('close', broken)
  await promise.finally(() => to.off('drain', resolve).off('close', broken))
}
