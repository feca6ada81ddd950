// Every operation of the contract by its operationId. The type makes the table complete: an operation that is missing,
// misnamed or takes another input than the contract says does not compile. An operation is in the file of its name, except
// the parts of a record (sub-resources.ts), the search with its presets (searches.ts), watches (watches.ts), and webhooks
// (webhooks.ts), which are tables like this one.

import type { OperationId } from '@lotline/contract'
import type { Handler, HandlerOf } from '../engine/handler.ts'
import { type AbortJobDeps, abortJob } from './abortJob.ts'
import { type CreatePropertyBatchDeps, createPropertyBatch } from './createPropertyBatch.ts'
import { type EstimateCallDeps, estimateCall } from './estimateCall.ts'
import { type GetAccountDeps, getAccount } from './getAccount.ts'
import { type GetBuildingUnitsDeps, getBuildingUnits } from './getBuildingUnits.ts'
import { type GetJobDeps, getJob } from './getJob.ts'
import { type GetJobResultsDeps, getJobResults } from './getJobResults.ts'
import { type GetPropertyDeps, getProperty } from './getProperty.ts'
import { type GetPropertyByAddressDeps, getPropertyByAddress } from './getPropertyByAddress.ts'
import { type GetPropertyByUrlDeps, getPropertyByUrl } from './getPropertyByUrl.ts'
import { createKeyOperations, type KeysDeps } from './keys.ts'
import { type ListJobsDeps, listJobs } from './listJobs.ts'
import { type ListListingsDeps, listListings } from './listListings.ts'
import { type ListUsageDeps, listUsage } from './listUsage.ts'
import { createSearches, type SearchesDeps } from './searches.ts'
import { type SearchWithDetailsDeps, searchWithDetails } from './searchWithDetails.ts'
import { withSentBack } from './sent-back.ts'
import { createSubResources, type SubResourcesDeps } from './sub-resources.ts'
import { type SummarizeUsageDeps, summarizeUsage } from './summarizeUsage.ts'
import { createWatchOperations, type WatchesDeps } from './watches.ts'
import { createWebhookOperations, type WebhooksDeps } from './webhooks.ts'

export type OperationsDeps = AbortJobDeps &
  CreatePropertyBatchDeps &
  EstimateCallDeps &
  GetAccountDeps &
  GetBuildingUnitsDeps &
  GetJobDeps &
  GetJobResultsDeps &
  GetPropertyDeps &
  GetPropertyByAddressDeps &
  GetPropertyByUrlDeps &
  KeysDeps &
  ListJobsDeps &
  ListListingsDeps &
  ListUsageDeps &
  SearchesDeps &
  SearchWithDetailsDeps &
  SubResourcesDeps &
  SummarizeUsageDeps &
  WatchesDeps &
  WebhooksDeps

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
