/**
 * Wrong requests, and the status and code that each must get. The service and the mock run through the same table, so
 * they refuse alike. With a new operation or error code, add the requests that lead to it.
 */

import { badCalls } from './bad-calls.ts'
import { badInputs } from './bad-inputs.ts'
import { badQueries } from './bad-queries.ts'
import type { BadRequest } from './bad-request.ts'
import { badTexts } from './bad-texts.ts'
import { misplacedLimits } from './misplaced-limits.ts'
import { wrongInputs } from './wrong-inputs.ts'

export { type BadRequest, concernsParameter, isCatalogueCode, toRequestInit } from './bad-request.ts'

export const badRequests: readonly BadRequest[] = [
  ...badCalls,
  ...badQueries,
  ...badInputs,
  ...badTexts,
  ...misplacedLimits,
  ...wrongInputs,
]
