// Every operation of the contract by its operationId. The type makes the table complete: an operation that is missing,
// misnamed or takes another input than the contract says does not compile. An operation is in the file of its name, except
// the parts of a record (sub-resources.ts), the search with its presets (searches.ts), watches (watches.ts), and webhooks
// (webhooks.ts), which are tables like this one.

import type { OperationId } from '@lotline/contract'
import type { Handler, HandlerOf } from '../engine/handler.ts'
import { abortJob } from './abortJob.ts'
import { createPropertyBatch } from './createPropertyBatch.ts'
import { estimateCall } from './estimateCall.ts'
import { getAccount } from './getAccount.ts'
import { getBuildingUnits } from './getBuildingUnits.ts'
import { getJob } from './getJob.ts'
import { getJobResults } from './getJobResults.ts'
import { getProperty } from './getProperty.ts'
import { getPropertyByAddress } from './getPropertyByAddress.ts'
import { getPropertyByUrl } from './getPropertyByUrl.ts'
import { createKeyOperations } from './keys.ts'
import { listJobs } from './listJobs.ts'
import { listListings } from './listListings.ts'
import { listUsage } from './listUsage.ts'
import { createSearches } from './searches.ts'
import { searchWithDetails } from './searchWithDetails.ts'
import { withSentBack } from './sent-back.ts'
import { createSubResources } from './sub-resources.ts'
import { summarizeUsage } from './summarizeUsage.ts'
import { createWatchOperations } from './watches.ts'
import { createWebhookOperations } from './webhooks.ts'
import type { AbortJobDeps } from './abortJob.ts'
import type { CreatePropertyBatchDeps } from './createPropertyBatch.ts'
import type { EstimateCallDeps } from './estimateCall.ts'
import type { GetAccountDeps } from './getAccount.ts'
import type { GetBuildingUnitsDeps } from './getBuildingUnits.ts'
import type { GetJobDeps } from './getJob.ts'
import type { GetJobResultsDeps } from './getJobResults.ts'
import type { GetPropertyDeps } from './getProperty.ts'
import type { GetPropertyByAddressDeps } from './getPropertyByAddress.ts'
import type { GetPropertyByUrlDeps } from './getPropertyByUrl.ts'
import type { KeysDeps } from './keys.ts'
import type { ListJobsDeps } from './listJobs.ts'
import type { ListListingsDeps } from './listListings.ts'
import type { ListUsageDeps } from './listUsage.ts'
import type { SearchesDeps } from './searches.ts'
import type { SearchWithDetailsDeps } from './searchWithDetails.ts'
import type { SubResourcesDeps } from './sub-resources.ts'
import type { SummarizeUsageDeps } from './summarizeUsage.ts'
import type { WatchesDeps } from './watches.ts'
import type { WebhooksDeps } from './webhooks.ts'

export type OperationsDeps = AbortJobDeps & CreatePropertyBatchDeps & EstimateCallDeps & GetAccountDeps & GetBuildingUnitsDeps & GetJobDeps & GetJobResultsDeps & GetPropertyDeps & GetPropertyByAddressDeps & GetPropertyByUrlDeps & KeysDeps & ListJobsDeps & ListListingsDeps & ListUsageDeps & SearchesDeps & SearchWithDetailsDeps & SubResourcesDeps & SummarizeUsageDeps & WatchesDeps & WebhooksDeps

type Operations = { readonly [K in OperationId]: HandlerOf<K> }

export function createOperations(deps: OperationsDeps): Readonly<Record<OperationId, Handler>> {
  const operations: Operations = {
    getPropertyByUrl: getPropertyByUrl(deps),
    getPropertyByAddress: getPropertyByAddress(deps),
    getProperty: getProperty(deps),
    ...createSubResources(deps),
    createPropertyBatch: createPropertyBatch(deps),
    getBuildingUnits: getBuildingUnits(deps),
    ...createSearches(deps),
    searchWithDetails: searchWithDetails(deps),
    listListings: listListings(deps),
    listJobs: listJobs(deps),
    getJob: getJob(deps),
    abortJob: abortJob(deps),
    getJobResults: getJobResults(deps),
    ...createWatchOperations(deps),
    ...createWebhookOperations(deps),
    ...createKeyOperations(deps),
    getAccount: getAccount(deps),
    estimateCall: estimateCall(deps, () => operations as Readonly<Record<OperationId, Handler>>),
    listUsage: listUsage(deps),
    summarizeUsage: summarizeUsage(deps),
  }
  // The engine has validated the input against the contract before it calls.
  return withSentBack(operations as Readonly<Record<OperationId, Handler>>)
}
