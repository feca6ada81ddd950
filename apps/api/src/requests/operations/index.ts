// Every operation of the contract by its operationId. The type makes the table complete: an operation that is missing,
// misnamed or takes another input than the contract says does not compile. An operation is in the file of its name, except
// the parts of a record (sub-resources.ts), the search with its presets (searches.ts), watches (watches.ts), and webhooks
// (webhooks.ts), which are tables like this one.

import type { OperationId } from '@lotline/contract'
import type { App } from '../../process/app.ts'
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

type Operations = { readonly [K in OperationId]: HandlerOf<K> }

export function createOperations(app: App): Readonly<Record<OperationId, Handler>> {
  const operations: Operations = {
    getPropertyByUrl: getPropertyByUrl(app),
    getPropertyByAddress: getPropertyByAddress(app),
    getProperty: getProperty(app),
    ...createSubResources(app),
    createPropertyBatch: createPropertyBatch(app),
    getBuildingUnits: getBuildingUnits(app),
    ...createSearches(app),
    searchWithDetails: searchWithDetails(app),
    listListings: listListings(app),
    listJobs: listJobs(app),
    getJob: getJob(app),
    abortJob: abortJob(app),
    getJobResults: getJobResults(app),
    ...createWatchOperations(app),
    ...createWebhookOperations(app),
    ...createKeyOperations(app),
    getAccount: getAccount(app),
    estimateCall: estimateCall(app, () => operations as Readonly<Record<OperationId, Handler>>),
    listUsage: listUsage(app),
    summarizeUsage: summarizeUsage(app),
  }
  // The engine has validated the input against the contract before it calls.
  return withSentBack(operations as Readonly<Record<OperationId, Handler>>)
}
