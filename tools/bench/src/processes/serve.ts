// Shared code of all bench servers: listens on a free port, prints the port, and stops on request.

import type { FastifyInstance } from 'fastify'

/** Prints its address as JSON on the first line of stdout. `end` is called when no call is under way any more. */
export async function serve(app: FastifyInstance, end: () => Promise<void> = async () => {}): Promise<void> {
  process.once('SIGTERM', async () => {
    await app.close()
    await end()
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  process.stdout.write(`${JSON.stringify(app.addresses()[0])}\n`)
}
