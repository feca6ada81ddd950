// The ledger against itself: every credit that an account has, holds or has spent follows from its postings.

import { type OperationId, operations, price } from '@lotline/contract'
import type { UsageRow } from '../books.ts'
import { type Check, groupBy, sum } from '../check.ts'

export const balanceIsLedger: Check = ({ books }, tell) => {
  const postings = groupBy(books.postings, ({ account_id }) => account_id)
  for (const { id, balance } of books.accounts) {
    const posted = sum(postings.get(id) ?? [], ({ amount }) => amount)
    if (posted !== balance) tell(`account ${id} has ${balance} credits, and its postings make ${posted}`)
  }
  return books.postings.length
}

export const heldIsPendingHolds: Check = ({ books }, tell) => {
  const holds = groupBy(books.holds, ({ account_id }) => account_id)
  const postings = groupBy(books.postings, ({ account_id }) => account_id)
  for (const { id, held } of books.accounts) {
    const open = (holds.get(id) ?? []).filter(({ state }) => state === 'open')
    const pending = sum(open, ({ amount }) => amount)
    const posted = sum(postings.get(id) ?? [], ({ held_change }) => held_change)
    if (held !== pending || held !== posted) {
      tell(`account ${id} holds ${held} credits, its open holds make ${pending} and its postings ${posted}`)
    }
  }
  return books.holds.length
}

export const neverNegative: Check = ({ books }, tell) => {
  for (const [account, postings] of groupBy(books.postings, ({ account_id }) => account_id)) {
    let [balance, held] = [0, 0]
    for (const { id, amount, held_change } of postings) {
      balance += amount
      held += held_change
      if (held < 0 || held > balance) {
        tell(`after posting ${id} account ${account} has ${balance} credits, of which ${held} are held`)
      }
    }
  }
  return books.postings.length
}

export const usageIsCharges: Check = ({ books }, tell) => {
  const keyOf = ({ account_id, request_id, stage }: Pick<UsageRow, 'account_id' | 'request_id' | 'stage'>) =>
    `${account_id} ${request_id} ${stage ?? ''}`
  const charged = new Map<string, number>()
  for (const { kind, account_id, request_id, stage, amount } of books.postings) {
    if (kind !== 'charge') continue
    const key = keyOf({ account_id, request_id: request_id ?? '', stage })
    if (charged.has(key)) tell(`${key} is charged more than once`)
    charged.set(key, (charged.get(key) ?? 0) - amount)
  }
  for (const row of books.usage) {
    const key = keyOf(row)
    const cost = charged.get(key) ?? 0
    if (cost !== row.credits_charged)
      tell(`${key} was charged ${cost}, and its usage row says ${row.credits_charged}`)
    charged.delete(key)
  }
  for (const [key, cost] of charged) tell(`${key} was charged ${cost} and has no usage row`)
  return books.usage.length
}

export const creditsArePrices: Check = ({ books }, tell) => {
  const settled = new Set(books.holds.filter(({ state }) => state === 'settled').map(({ job_id }) => job_id))
  for (const { request_id, stage, operation, units, status_code, job_id, credits_charged } of books.usage) {
    const isDone = status_code < 300 && (status_code !== 202 || (job_id !== null && settled.has(job_id)))
    const due = isDone && operation !== null ? price(operation as OperationId, stage, units) : 0
    if (due !== credits_charged) {
      tell(
        `${request_id} ${stage ?? ''} cost ${credits_charged}, and ${units} units of ${operation} cost ${due}`,
      )
    }
  }
  return books.usage.length
}

/** A job's credits are held while it is under way, charged when it succeeds, and released in every other case. */
export const holdsFollowJobs: Check = ({ books }, tell) => {
  const holds = new Map(books.holds.map((hold) => [hold.job_id, hold.state]))
  for (const { id, status } of books.jobs) {
    const due =
      status === 'succeeded' ? 'settled' : status === 'queued' || status === 'running' ? 'open' : 'released'
    const state = holds.get(id)
    if (state !== due) tell(`job ${id} is ${status}, and its hold is ${state ?? 'missing'}`)
  }
  return books.jobs.length
}

/** Whether the contract prices this operation by the rows that it returns. */
export function isPricedByRow(operation: OperationId): boolean {
  return operations[operation].price.stages.some(({ per, price: credits }) => per === 'row' && credits > 0)
}
