// The loop that claims, runs, and finishes leased work.

export { type OpenJobs, readQueues } from './loop/queues.ts'
