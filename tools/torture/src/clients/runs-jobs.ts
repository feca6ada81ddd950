// Starts jobs, aborts some of them, asks how they stand until they end and long after, and reads results in all formats, page by page. An
// order whose answer was lost is given again under its Idempotency-Key: it must not start a second job.

import type { Job } from '@lotline/contract'
import type { CallAnswer } from './call.ts'
import { call, keptConnection } from './call.ts'
import { callOnce, isOver } from './once.ts'
import { chooseOrder } from './orders.ts'
import { pause } from './pause.ts'
import { idsOf } from './rows.ts'
import type { MakeClient } from './world.ts'

const ENDED = new Set(['succeeded', 'failed', 'timed_out', 'aborted'])
/** How many ended jobs are looked at again and again. */
const KEPT = 15
/** What one client has under way, so that all of it can end in time. */
const MAX_LIVE = 3

export const runsJobs: MakeClient = (world, name, key, random) => {
  const agent = keptConnection()
  const live = new Set<string>()
  let ended: Job[] = []
  let orders = 0

  async function start(): Promise<void> {
    const { expected, ...order } = chooseOrder(world, random)
    const idempotencyKey = `${name}-${++orders}`
    // A building has no Idempotency-Key, and each repetition is a job of its own.
    const answer =
      order.method === 'POST'
        ? await callOnce(world, name, key, random, { ...order, agent, idempotencyKey })
        : await call(world, name, key, { ...order, agent })
    if (!isOver(answer) || answer.status !== 202) return
    const jobId = (JSON.parse(answer.text) as { data: { job_id: string } }).data.job_id
    live.add(jobId)
    world.log.write({ kind: 'order', jobId, keyId: key.id, ...(expected && { expected }) })
  }

  async function look(jobId: string): Promise<void> {
    const answer = await call(world, name, key, { operation: 'getJob', path: `/v1/jobs/${jobId}`, agent })
    if (!answer?.whole || answer.status !== 200) return
    const { data: job } = JSON.parse(answer.text) as { data: Job }
    world.log.write({ kind: 'job', sentAt: answer.sentAt, endAt: answer.endAt, keyId: key.id, job })
    if (!ENDED.has(job.status) || !live.delete(jobId)) return
    ended = [...ended.slice(-KEPT), job]
  }

  /** Sent twice now and then: a job is aborted once. */
  async function abort(jobId: string): Promise<void> {
    const path = `/v1/jobs/${jobId}/abort`
    const asked = { operation: 'abortJob', method: 'POST', path, agent } as const
    const answer = await call(world, name, key, asked)
    if (random.chance(0.2)) await call(world, name, key, asked)
    if (!answer?.whole || answer.status !== 200) return
    const { data: job } = JSON.parse(answer.text) as { data: Job }
    world.log.write({ kind: 'job', sentAt: answer.sentAt, endAt: answer.endAt, keyId: key.id, job })
    live.delete(jobId)
  }

  async function list(): Promise<void> {
    const answer = await call(world, name, key, { operation: 'listJobs', path: '/v1/jobs?limit=20', agent })
    if (!answer?.whole || answer.status !== 200) return
    const { sentAt, endAt } = answer
    for (const job of (JSON.parse(answer.text) as { data: Job[] }).data) {
      world.log.write({ kind: 'job', sentAt, endAt, keyId: key.id, job })
    }
  }

  async function read(job: Job): Promise<void> {
    const format = random.pick(['json', 'csv', 'ndjson'] as const)
    const limit = random.pick([7, 100, 1000])
    for (let offset = 0; ; offset += limit) {
      const path = `/v1/jobs/${job.id}/results?format=${format}&limit=${limit}&offset=${offset}`
      const answer = await call(world, name, key, { operation: 'getJobResults', path, agent })
      if (!answer?.whole || answer.status !== 200) return
      const total = totalOf(answer)
      world.log.write({
        kind: 'page',
        jobId: job.id,
        format,
        offset,
        limit,
        total,
        ids: idsOf(format, answer.text),
      })
      if (offset + limit >= total || world.stopping.now) return
    }
  }

  return {
    name,
    async turn() {
      if (live.size < MAX_LIVE) await start()
      for (const jobId of live) await (random.chance(0.03) ? abort(jobId) : look(jobId))
      if (ended.length > 0) {
        const job = random.pick(ended)
        if (job.status === 'succeeded' && random.chance(0.6)) await read(job)
        else await look(job.id)
      }
      if (random.chance(0.1)) await list()
      await pause(random, 60)
    },
  }
}

/** JSON says it in the body, the other formats in a header. */
function totalOf({ headers, text }: CallAnswer): number {
  const said = headers['x-total-count']
  return said === undefined ? (JSON.parse(text) as { meta: { total: number } }).meta.total : Number(said)
}
