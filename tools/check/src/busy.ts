// Keeps all cores busy, as another user of the machine would, until the process that forked it ends or disconnects: `pnpm test --busy` runs
// its checks beside it, so that anyone can repeat the proof that they need no idle machine. By itself: `node tools/check/src/busy.ts`.

import { availableParallelism } from 'node:os'
import { isMainThread, Worker } from 'node:worker_threads'

if (isMainThread) {
  const workers = Array.from({ length: availableParallelism() }, () => new Worker(new URL(import.meta.url)))
  process.once('disconnect', () => process.exit())
  console.log(`${workers.length} cores are kept busy`)
} else {
  let sum = 0
  while (true) sum = Math.sqrt(sum + 1)
}
