// Changes of credits above the limit (`lotline operators credit-limit`), which a second person approves in the console.

import { type WaitsForApproval, waitsForApproval } from '../../money/operator.ts'
import { CommandFailure } from './print.ts'

/** The result of a change that was made. @throws {CommandFailure} if it waits for a second person, so that scripts notice */
export function expectMade<T>(result: T | WaitsForApproval): T {
  if (!waitsForApproval(result)) return result as T
  const { id, credits } = result.pending
  throw new CommandFailure(
    `Nothing was changed yet: ${Math.abs(credits)} credits are above the limit and need a second person. ` +
      `A named operator other than you approves the request ${id} in the console, under Approvals.`,
  )
}
