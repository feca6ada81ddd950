import type { LookupAnswers } from '../lookups.ts'
import type { BareOrder } from './bare-fastify.ts'
import { firstLine, startChild, stopChild } from './child.ts'

const SCRIPT = new URL('./bare-fastify.ts', import.meta.url)

/** A bare Fastify that sends these answers to lookups by zpid. */
export async function startBare(
  answers: LookupAnswers,
): Promise<{ port: number; pid: number; stop(): Promise<void> }> {
  const order: BareOrder = { path: '/v1/properties/:id', ...answers }
  const bare = startChild(SCRIPT, { input: order })
  const { port } = JSON.parse(await firstLine(bare)) as { port: number }
  return { port, pid: bare.pid, stop: () => stopChild(bare) }
}
