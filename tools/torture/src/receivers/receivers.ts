// The receivers of webhooks: one accepts, one refuses, one keeps its callers waiting, and one is of changing mind. Each
// writes down all that it gets. The path of a request says which webhook it is for.

import { createServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { nowMs } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Random } from '../random.ts'
import type { DeliveryRecord } from '../records.ts'

export const MANNERS = ['accepting', 'refusing', 'hanging', 'moody'] as const
export type Manner = (typeof MANNERS)[number]

export interface Receivers {
  /** A URL that no webhook has had yet, with its path. */
  newHook(manner: Manner): { readonly url: string; readonly hook: string }
  stop(): Promise<void>
}

export async function startReceivers(
  log: Pick<Log<DeliveryRecord>, 'write'>,
  random: Random,
): Promise<Receivers> {
  const sockets = new Set<Socket>()
  let hooks = 0
  const server = createServer((request, response) => {
    const at = nowMs()
    const pieces: Buffer[] = []
    request.on('error', () => {})
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const hook = request.url ?? ''
      const answered = answer(response, hook.split('/')[1] as Manner, random)
      const header = (name: string) => request.headers[name]?.toString() ?? null
      log.write({
        kind: 'delivery',
        at,
        hook,
        answered,
        webhookId: header('webhook-id'),
        timestamp: header('webhook-timestamp'),
        signature: header('webhook-signature'),
        attempt: Number(header('webhook-attempt')),
        body: Buffer.concat(pieces).toString(),
      })
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  return {
    newHook(manner) {
      const hook = `/${manner}/${++hooks}`
      return { url: `http://127.0.0.1:${port}${hook}`, hook }
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function answer(response: ServerResponse, manner: Manner, random: Random): DeliveryRecord['answered'] {
  const mood = random.pick(['accepting', 'refusing', 'hanging'] as const)
  switch (manner === 'moody' ? mood : manner) {
    case 'refusing':
      response.writeHead(500).end('no')
      return 'refused'
    case 'hanging':
      return 'kept waiting'
    default:
      response.writeHead(204).end()
      return 'accepted'
  }
}
