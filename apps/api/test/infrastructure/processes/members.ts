// Several members of the shared limits in the test's own process, each with its own connection, lease, and name. They communicate
// only through the store and the database.

import { pino } from 'pino'
import type { Database } from '../../../src/infrastructure/database/database.ts'
import { joinProcesses } from '../../../src/infrastructure/processes/api-process-lease.ts'
import type { Principal } from '../../../src/money/accounts/principals.ts'
import type { Limits } from '../../../src/money/limits/limits.ts'
import { openStoreLimits } from '../../../src/money/limits/store/store-limits.ts'

export const log = pino({ level: 'silent' })

export interface MemberOptions {
  readonly database: Database
  readonly url: string
  readonly windowMs?: number
  readonly waitTimeoutMs?: number
}

export async function openMember(options: MemberOptions): Promise<Limits> {
  const { database, waitTimeoutMs = 15_000 } = options
  const processLease = await joinProcesses({ database, log, countsIn: 'store', waitTimeoutMs })
  try {
    return await openStoreLimits({ ...options, log, processLease })
  } catch (error) {
    await processLease.leave()
    throw error
  }
}

export async function withMembers(
  options: MemberOptions & { readonly count: number },
  work: (members: readonly Limits[]) => Promise<void>,
): Promise<void> {
  const members = await Promise.all(Array.from({ length: options.count }, () => openMember(options)))
  try {
    await work(members)
  } finally {
    await Promise.all(members.map((member) => member.close()))
  }
}

/** The fields of a principal that the limits use. */
export function callerOf(keyId: string, accountId: string, rateLimitPerMinute: number): Principal {
  return { keyId, accountId, rateLimitPerMinute } as Principal
}

export async function until(holds: () => boolean | Promise<boolean>, boundMs = 30_000): Promise<void> {
  for (const end = performance.now() + boundMs; !(await holds()); ) {
    if (performance.now() > end) throw new Error(`It did not come to that within ${boundMs} ms.`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
