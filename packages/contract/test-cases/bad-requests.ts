/**
 * Wrong requests, and the status and code that each must get. The service and the mock run through the same table, so
 * they refuse alike; whoever adds an operation or an error code adds the requests that lead to it.
 */

import { badInputs } from './bad-inputs.ts'
import { badQueries } from './bad-queries.ts'
import type { BadRequest } from './bad-request.ts'
import { badWalks } from './bad-walks.ts'
import { wrongInputs } from './wrong-inputs.ts'

export { type BadRequest, concernsParameter, isOfCatalogue, requestOf } from './bad-request.ts'

export const badRequests: readonly BadRequest[] = [...badWalks, ...badQueries, ...badInputs, ...wrongInputs]
