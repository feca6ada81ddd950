// Deliveries of events that all become due at once: the claim, the signature, the request, its log and its end, beside a
// loop that only signs and posts to the same receiver.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { bodyOf, createEventId } from '@lotline/api/work/events/event.ts'
import { writeJobEvent } from '@lotline/api/work/jobs/store/settle-job.ts'
import type { Job } from '@lotline/contract'
import { inTurns } from '../bench.ts'
import type { Measurement } from '../measurement.ts'
import type { PostsOrder, PostsReport } from '../processes/bare-posts.ts'
import { call } from '../processes/call.ts'
import { firstLine, runChild, startChild, stopChild } from '../processes/child.ts'
import { KEYS, type Stage } from '../stage.ts'

const RECEIVER = new URL('../processes/receiver.ts', import.meta.url)
const POSTS = new URL('../processes/bare-posts.ts', import.meta.url)
/** The number of events for each account. Each account has one webhook. */
const EVENTS = 40
const DELIVERIES = EVENTS * KEYS
const AT_A_TIME = 64
const LIMIT_MS = 60_000

export const webhooks: Measurement = {
  name: 'webhooks',
  measures: [
    {
      name: `webhook deliveries, ${DELIVERIES.toLocaleString('en-US')} due at once`,
      unit: 'per second',
      target: { of: 'ratio', bound: 'at least', value: 0.5 },
    },
  ],
  async run(bench) {
    const stage = await bench.sample()
    const receiver = startChild(RECEIVER)
    bench.atEnd(() => stopChild(receiver))
    const { port } = JSON.parse(await firstLine(receiver)) as { port: number }
    const origin = `http://127.0.0.1:${port}`
    for (const { key } of stage.accounts) {
      await call(stage.api, key, '/v1/webhooks', { url: `${origin}/hook`, events: ['job.succeeded'] })
    }
    const order: PostsOrder = { origin, body: exampleBody(), count: DELIVERIES, atATime: AT_A_TIME }
    const ours = () => deliver(stage, origin)
    await ours()
    const samples = await inTurns(
      bench.rounds,
      ours,
      async () => (await runChild<PostsReport>(POSTS, { input: order })).perSecond,
    )
    const note = `${KEYS} webhooks, one receiver; baseline: signed undici POSTs, ${AT_A_TIME} at a time`
    return [{ ...samples, note }]
  },
}

/** Deliveries per second, from the commit that made them due until the receiver has had all. */
async function deliver({ database, accounts }: Stage, origin: string): Promise<number> {
  const before = await countReceived(origin)
  await database.transaction(async (tx) => {
    for (const { accountId } of accounts)
      for (let count = 0; count < EVENTS; count++) await writeJobEvent(tx, accountId, endedJob())
  })
  const dueAt = performance.now()
  for (;;) {
    const received = (await countReceived(origin)) - before
    const elapsedMs = performance.now() - dueAt
    if (received >= DELIVERIES) return DELIVERIES / (elapsedMs / 1_000)
    if (elapsedMs > LIMIT_MS) {
      throw new Error(`${received} of ${DELIVERIES} deliveries came within ${LIMIT_MS / 1_000} s`)
    }
    await sleep(10)
  }
}

async function countReceived(origin: string): Promise<number> {
  return Number(await (await fetch(origin)).text())
}

function exampleBody(): string {
  const event = { id: createEventId(), type: 'job.succeeded', happenedAt: new Date(), attempt: 1 }
  return bodyOf({ ...event, data: JSON.stringify(endedJob()) }).toString()
}

/** A job as it stands when it has succeeded. */
function endedJob(): Job {
  const now = new Date().toISOString()
  return {
    id: randomUUID(),
    type: 'batch_detail',
    status: 'succeeded',
    chain_stage: null,
    progress: { done: 3, total: 3 },
    result_count: 3,
    failure_count: 0,
    failures: [],
    error: null,
    skipped_count: 0,
    skipped: [],
    coverage: null,
    credits_held: 0,
    credits_charged: 3,
    truncated_by: null,
    created_at: now,
    started_at: now,
    completed_at: now,
  }
}
