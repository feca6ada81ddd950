import { ANSWERS } from './answers.ts'
import { JOBS } from './jobs.ts'
import { LEDGER } from './ledger.ts'
import type { Plant } from './plant.ts'
import { SECRETS } from './secrets.ts'
import { TRAFFIC } from './traffic.ts'
import { WEBHOOKS } from './webhooks.ts'

export const PLANTS: readonly Plant[] = [...LEDGER, ...ANSWERS, ...JOBS, ...WEBHOOKS, ...TRAFFIC, ...SECRETS]
