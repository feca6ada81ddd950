// What the contract has and this build has not yet: nothing. An operation named here would be exempt from the check of
// answers against the contract; the list may only shrink.

import type { OperationId } from '@lotline/contract'

export const NOT_IMPLEMENTED: readonly OperationId[] = []
