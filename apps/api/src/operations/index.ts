// Every operation of the contract by its operationId. The type makes the table complete: an operation that is missing,
// misnamed or takes another input than the contract says does not compile.

import type { OperationId } from '@lotline/contract'
import type { House } from '../app.ts'
import type { Handler, HandlerOf } from '../engine/handler.ts'
import { createPropertyBatch } from './createPropertyBatch.ts'
import { createWebhook } from './createWebhook.ts'
import { deleteWebhook } from './deleteWebhook.ts'
import { getAccount } from './getAccount.ts'
import { getBuildingUnits } from './getBuildingUnits.ts'
import { getJob } from './getJob.ts'
import { getJobResults } from './getJobResults.ts'
import { getProperty } from './getProperty.ts'
import { getPropertyAgent } from './getPropertyAgent.ts'
import { getPropertyByAddress } from './getPropertyByAddress.ts'
import { getPropertyByUrl } from './getPropertyByUrl.ts'
import { getPropertyFacts } from './getPropertyFacts.ts'
import { getPropertyNearby } from './getPropertyNearby.ts'
import { getPropertyOpenHouses } from './getPropertyOpenHouses.ts'
import { getPropertyPhotos } from './getPropertyPhotos.ts'
import { getPropertyPriceHistory } from './getPropertyPriceHistory.ts'
import { getPropertySchools } from './getPropertySchools.ts'
import { getPropertyTaxHistory } from './getPropertyTaxHistory.ts'
import { getPropertyZestimate } from './getPropertyZestimate.ts'
import { listJobs } from './listJobs.ts'
import { listListings } from './listListings.ts'
import { listUsage } from './listUsage.ts'
import { listWebhookDeliveries } from './listWebhookDeliveries.ts'
import { listWebhooks } from './listWebhooks.ts'
import { searchForRent } from './searchForRent.ts'
import { searchForSale } from './searchForSale.ts'
import { searchListings } from './searchListings.ts'
import { searchSold } from './searchSold.ts'
import { searchWithDetails } from './searchWithDetails.ts'

type Operations = { readonly [K in OperationId]: HandlerOf<K> }

export function createOperations(house: House): Readonly<Record<OperationId, Handler>> {
  const operations: Operations = {
    getPropertyByUrl: getPropertyByUrl(house),
    getPropertyByAddress: getPropertyByAddress(house),
    getProperty: getProperty(house),
    getPropertyPhotos: getPropertyPhotos(house),
    getPropertyPriceHistory: getPropertyPriceHistory(house),
    getPropertyTaxHistory: getPropertyTaxHistory(house),
    getPropertySchools: getPropertySchools(house),
    getPropertyNearby: getPropertyNearby(house),
    getPropertyAgent: getPropertyAgent(house),
    getPropertyZestimate: getPropertyZestimate(house),
    getPropertyOpenHouses: getPropertyOpenHouses(house),
    getPropertyFacts: getPropertyFacts(house),
    createPropertyBatch: createPropertyBatch(house),
    getBuildingUnits: getBuildingUnits(house),
    searchListings: searchListings(house),
    searchWithDetails: searchWithDetails(house),
    listListings: listListings(house),
    searchForSale: searchForSale(house),
    searchForRent: searchForRent(house),
    searchSold: searchSold(house),
    listJobs: listJobs(house),
    getJob: getJob(house),
    getJobResults: getJobResults(house),
    createWebhook: createWebhook(house),
    listWebhooks: listWebhooks(house),
    deleteWebhook: deleteWebhook(house),
    listWebhookDeliveries: listWebhookDeliveries(house),
    getAccount: getAccount(house),
    listUsage: listUsage(house),
  }
  // The walk has validated the input against the contract before it calls.
  return operations as Readonly<Record<OperationId, Handler>>
}
