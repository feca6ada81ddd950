import { createServer } from 'node:net'

/** A port that no process listens on at the moment: processes that are killed come back to the same one. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening))
  const { port } = probe.address() as { port: number }
  await new Promise((closed) => probe.close(closed))
  return port
}
