// Accepts, runs, reads, and ends jobs.

export { JOB_EVENTS, JOB_STATUSES, JOB_TYPES, type JobSpec, RETENTION_DAYS, searchesOf } from './jobs/job.ts'
export {
  BOUNDS,
  findJobStorage,
  findStorageByPlan,
  jobLimitsOf,
  judgeJobLimit,
  type PlanStorage,
} from './jobs/job-limits.ts'
export { abortJob, createJobs, type Jobs } from './jobs/jobs.ts'
export type { ProviderRetryOptions } from './jobs/run/provider-retry.ts'
export type { HoldAsked } from './jobs/store/accept-job.ts'
export { type AllJobsFilter, type JobInfo, listAllJobs, listLiveJobs } from './jobs/store/all-jobs.ts'
export type { ListedJob } from './jobs/store/find-jobs.ts'
