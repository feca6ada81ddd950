import { ANSWERS } from './answers.ts'
import { CREATIONS } from './creations.ts'
import { JOBS } from './jobs.ts'
import { LEDGER } from './ledger.ts'
import { LIMITS } from './limits.ts'
import type { Plant } from './plant.ts'
import { SECRETS } from './secrets.ts'
import { WATCHES } from './watches.ts'
import { WEBHOOKS } from './webhooks.ts'

export const PLANTS: readonly Plant[] = [
  ...LEDGER,
  ...ANSWERS,
  ...JOBS,
  ...CREATIONS,
  ...WEBHOOKS,
  ...LIMITS,
  ...SECRETS,
  ...WATCHES,
]
