import type { Check } from '../check.ts'
import * as answers from './answers.ts'
import * as creations from './creations.ts'
import * as jobs from './jobs.ts'
import * as ledger from './ledger.ts'
import * as limits from './limits.ts'
import { ownAuditAgrees } from './own-audit.ts'
import { paidPurchasesAreGranted } from './purchases.ts'
import * as remote from './remote-watches.ts'
import * as replica from './replica.ts'
import * as secrets from './secrets.ts'
import { storedIsWhatIsThere } from './storage.ts'
import * as watches from './watches.ts'
import * as webhooks from './webhooks.ts'

/** Every check, by what it proves. */
export const CHECKS = {
  'a balance is the sum of its ledger': ledger.balanceIsLedger,
  'what is held is the sum of pending holds': ledger.heldIsPendingHolds,
  'no balance was ever negative, nor over-held': ledger.neverNegative,
  'usage is charges': ledger.usageIsCharges,
  'credits are the price of the contract': ledger.creditsArePrices,
  'a hold is open as long as its job': ledger.holdsFollowJobs,
  'a paid purchase gives its credits once': paidPurchasesAreGranted,
  'the service’s own audit agrees': ownAuditAgrees,
  'every success seen has exactly one usage row': answers.successHasOneUsageRow,
  'credits seen are credits booked': answers.creditsSeenAreBooked,
  'rows seen are rows booked': answers.rowsSeenAreBooked,
  'rows of a search are in its area': answers.rowsAreInTheirArea,
  'failures are free': answers.failuresAreFree,
  'every answer is in the contract, none a breakdown': answers.answersAreDocumented,
  'no job is lost': jobs.noJobIsLost,
  'a job that has ended never changes': jobs.endedJobsNeverChange,
  'an Idempotency-Key starts one job': jobs.anIdempotencyKeyStartsOneJob,
  'an Idempotency-Key creates one resource': creations.anIdempotencyKeyCreatesOneResource,
  'a DELETE can be repeated': creations.deletionsCanBeRepeated,
  'no row of a result is missing or doubled': jobs.resultsAreWhole,
  'every page shows the rows of its place': jobs.pagesAreWhole,
  'what an account stores is what is there': storedIsWhatIsThere,
  'one event for each ended job and live webhook': webhooks.oneEventForEachWebhook,
  'an event is delivered, or tried three times': webhooks.eventsAreDeliveredOrTried,
  'a delivery keeps its id and text': webhooks.deliveriesKeepTheirId,
  'signatures are valid': webhooks.signaturesAreValid,
  'nothing is sent after DELETE': webhooks.nothingAfterDelete,
  'the log of changes is what was imported': watches.logIsWhatWasImported,
  'events are the changes of each import': watches.eventsAreTheChanges,
  'after a pause, events are the net change': watches.pausesKeepTheNetChange,
  'events are numbered once, without a gap': watches.eventsAreNumberedOnce,
  'an event costs one credit, in one usage row': watches.anEventCostsOneCredit,
  'events never take the last credit': watches.theLastCreditIsKept,
  'webhooks are sent the log of events': watches.whatIsDeliveredIsTheLog,
  'watches know what a search finds': watches.watchesKnowWhatIsThere,
  'over a remote source, events are what complete searches show': remote.eventsAreCompleteSearches,
  'a replicated source ends as its feed': replica.replicaIsTheFeed,
  'a withheld home is not shown': replica.withheldHomesAreNotShown,
  'one call of a key at a time': limits.oneInFlightForEachKey,
  'calls of a key in order of arrival': limits.inOrderOfArrival,
  'no window exceeded, as booked': limits.windowAsBooked,
  'no window exceeded, as seen': limits.windowAsSeen,
  'no charge above its limit': limits.noChargeAboveItsLimit,
  'no key above its limit': limits.noKeyAboveItsLimit,
  'a revoked connector gets nothing more': limits.endedConnectorsGetNothing,
  'no secret in what is printed': secrets.noSecretInOutput,
  'no secret in an answer': secrets.noSecretInAnswers,
  'no secret in the database': secrets.noSecretInDatabase,
  'no secret in the files': secrets.noSecretInFiles,
} satisfies Readonly<Record<string, Check>>

export type CheckName = keyof typeof CHECKS
