// Runs the audit for the console, one at a time in this process. A database lock keeps other processes from running one at the same time.

import type { Logger } from 'pino'
import { type Database, isTimeout } from '../../infrastructure/database.ts'
import { auditAsOperator, FormAlreadySent, type Operator } from '../../money/operator.ts'

export interface AuditRunnerDeps {
  readonly database: Database
  readonly log: Logger
}

export interface AuditRunner {
  readonly runningSince: Date | undefined
  /** The reason why the last audit did not finish, as text. */
  readonly failure: string | undefined
  /** Does nothing while an audit is running. */
  start(operator: Operator): void
}

export function createAuditRunner({ database, log }: AuditRunnerDeps): AuditRunner {
  let runningSince: Date | undefined
  let failure: string | undefined

  async function run(operator: Operator): Promise<void> {
    try {
      const result = await auditAsOperator(database, operator)
      failure = result === 'busy' ? 'another process is running one.' : undefined
    } catch (error) {
      if (error instanceof FormAlreadySent) return
      log.error({ err: error }, 'the audit started in the console failed')
      failure = isTimeout(error)
        ? 'the ledger is too large to audit it here. Run: lotline credits audit'
        : 'it failed. The log of the service has the reason.'
    } finally {
      runningSince = undefined
    }
  }

  return {
    get runningSince() {
      return runningSince
    },
    get failure() {
      return failure
    },
    start(operator) {
      if (runningSince) return
      runningSince = new Date()
      failure = undefined
      void run(operator)
    },
  }
}
