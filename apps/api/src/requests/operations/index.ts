// Every operation of the contract by its operationId. The type makes the table complete: an operation that is missing,
// misnamed or takes another input than the contract says does not compile. An operation is in the file of its name, except
// the parts of a record (sub-resources.ts), the search with its presets (searches.ts), watches (watches.ts), and webhooks
// (webhooks.ts), which are tables like this one.

import type { OperationId } from '@lotline/contract'
import type { Handler, HandlerOf } from '../engine/handler.ts'
import { abortJob, type AbortJobDeps } from './abortJob.ts'
import { createPropertyBatch, type CreatePropertyBatchDeps } from './createPropertyBatch.ts'
import { estimateCall, type EstimateCallDeps } from './estimateCall.ts'
import { getAccount, type GetAccountDeps } from './getAccount.ts'
import { getBuildingUnits, type GetBuildingUnitsDeps } from './getBuildingUnits.ts'
import { getJob, type GetJobDeps } from './getJob.ts'
import { getJobResults, type GetJobResultsDeps } from './getJobResults.ts'
import { getProperty, type GetPropertyDeps } from './getProperty.ts'
import { getPropertyByAddress, type GetPropertyByAddressDeps } from './getPropertyByAddress.ts'
import { getPropertyByUrl, type GetPropertyByUrlDeps } from './getPropertyByUrl.ts'
import { createKeyOperations, type KeysDeps } from './keys.ts'
import { listJobs, type ListJobsDeps } from './listJobs.ts'
import { listListings, type ListListingsDeps } from './listListings.ts'
import { listUsage, type ListUsageDeps } from './listUsage.ts'
import { createSearches, type SearchesDeps } from './searches.ts'
import { searchWithDetails, type SearchWithDetailsDeps } from './searchWithDetails.ts'
import { withSentBack } from './sent-back.ts'
import { createSubResources, type SubResourcesDeps } from './sub-resources.ts'
import { summarizeUsage, type SummarizeUsageDeps } from './summarizeUsage.ts'
import { createWatchOperations, type WatchesDeps } from './watches.ts'
import { createWebhookOperations, type WebhooksDeps } from './webhooks.ts'

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
