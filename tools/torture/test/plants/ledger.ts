import { chargedCall, first, type Plant, remove } from './plant.ts'

export const LEDGER: readonly Plant[] = [
  {
    name: 'a credit out of nowhere',
    named: ['a balance is the sum of its ledger'],
    change: ({ accounts }) => void accounts[0]!.balance++,
  },
  {
    name: 'credits held for nothing',
    named: ['what is held is the sum of pending holds'],
    change: ({ accounts }) => void accounts[0]!.held++,
  },
  {
    name: 'a charge before the grant that pays for it',
    named: ['no balance was ever negative, nor over-held'],
    change: ({ postings }) => {
      const charge = first(postings, ({ kind }) => kind === 'charge')
      remove(postings, charge)
      postings.unshift(charge)
    },
  },
  {
    name: 'a charge that was made twice',
    named: ['usage is charges', 'a balance is the sum of its ledger'],
    change: ({ postings }) => void postings.push({ ...first(postings, ({ kind }) => kind === 'charge') }),
  },
  {
    name: 'a wrong price, in ledger and usage alike',
    named: ['credits are the price of the contract'],
    change: (books, records) => {
      const row = chargedCall(books, records)
      const posting = first(books.postings, ({ request_id }) => request_id === row.request_id)
      row.credits_charged++
      posting.amount--
      first(books.accounts, ({ id }) => id === row.account_id).balance--
    },
  },
  {
    name: 'a job that ended and still holds credits',
    named: ['a hold is open as long as its job'],
    change: ({ holds }) => {
      first(holds, ({ state }) => state === 'settled').state = 'open'
    },
  },
  {
    name: 'a purchase that was paid and gave nothing',
    named: ['a paid purchase gives its credits once'],
    change: ({ purchases }) => {
      first(purchases, ({ state }) => state === 'paid').movement_id = null
    },
  },
  {
    name: 'two purchases that gave the same credits',
    named: ['a paid purchase gives its credits once'],
    change: ({ purchases }) => void purchases.push({ ...first(purchases, ({ state }) => state === 'paid') }),
  },
  {
    name: 'a refund that has taken a credit too many',
    named: ['a paid purchase gives its credits once'],
    change: ({ purchases }) => {
      first(purchases, ({ deducted }) => deducted > 0).deducted += 1
    },
  },
  {
    name: 'a refund that has failed and gave nothing back',
    named: ['a paid purchase gives its credits once'],
    change: ({ purchases }) => {
      first(purchases, ({ deducted }) => deducted > 0).reversed = 0
    },
  },
  {
    name: 'an audit of the service that finds something',
    named: ['the service’s own audit agrees'],
    replace: async () => ({
      lotline: async () => ({ clean: false, drift: [{}], checked: { usage_rows: 1 } }),
    }),
  },
]
