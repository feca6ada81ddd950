// Receives webhooks for the scenario. Each client registers the URL `/<name>` and reads its first event of a job back with
// `GET /<name>`: 204 until there is one.

import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Receiver {
  readonly url: string
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const events = new Map<string, string>()
  const server = createServer(async (request, response) => {
    const name = request.url ?? '/'
    if (request.method === 'POST') {
      const body = await text(request)
      const { type } = JSON.parse(body) as { readonly type: string }
      if (type.startsWith('job.')) events.set(name, body)
      response.writeHead(204).end()
      return
    }
    const event = events.get(name)
    if (event === undefined) response.writeHead(204).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(event)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { readonly port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
