// A receiver of webhooks: takes every POST and answers 204; a GET tells how many there were.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let count = 0
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(String(count))
    return
  }
  request.resume()
  request.once('end', () => {
    count += 1
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify(server.address() as AddressInfo)}\n`)
})
