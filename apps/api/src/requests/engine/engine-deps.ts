// The parts of the service that the engine uses.

import type { Logger } from 'pino'
import type { LookupBudget } from '../../data/record-cache.ts'
import type { Config } from '../../infrastructure/config.ts'
import type { Database, DatabaseClock } from '../../infrastructure/database.ts'
import type { Observer } from '../../infrastructure/platform.ts'
import type { KeyUse, Principals } from '../../money/accounts.ts'
import type { Ledger } from '../../money/credits.ts'
import type { KeyQueues, RateWindows, WaitingInputs } from '../../money/limits.ts'
import type { AuthenticationParts } from './authenticate.ts'
import type { EstimateDeps } from './estimate.ts'

export type EngineDeps = EstimateDeps &
  AuthenticationParts & {
    readonly budget: LookupBudget
    readonly clock: DatabaseClock
    readonly config: Pick<Config, 'syncTimeoutMs'>
    readonly database: Database
    readonly keyUse: KeyUse
    readonly ledger: Ledger
    readonly log: Logger
    readonly observer: Observer
    readonly principals: Principals
    readonly queues: KeyQueues
    readonly waiting: WaitingInputs
    readonly windows: RateWindows
  }
