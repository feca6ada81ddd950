// A process that takes calls from the limiter at times that its parent sends: one of several that share a credential.

import { CallsExhausted, takeCall } from '../../../src/data/replication/call-limiter.ts'
import { connectDatabase } from '../../../src/infrastructure/database/database.ts'

export interface PacedAsk {
  readonly now: number
  readonly limits: Parameters<typeof takeCall>[2]
}

export type PacedAnswer = { readonly at: number } | { readonly retryAt: number }

const url = new URL(process.argv[2]!)
const database = connectDatabase({
  target: {
    host: decodeURIComponent(url.host),
    user: url.username,
    database: url.pathname.slice(1),
    ssl: false,
  },
  poolSize: 1,
})

process.on('message', async ({ now, limits }: PacedAsk) => {
  process.send!(await take(now, limits))
})
process.once('disconnect', () => void database.close())

async function take(now: number, limits: PacedAsk['limits']): Promise<PacedAnswer> {
  try {
    return { at: now + (await takeCall(database, 'shared', limits, new Date(now))) }
  } catch (error) {
    if (error instanceof CallsExhausted) return { retryAt: error.retryAt.getTime() }
    throw error
  }
}
