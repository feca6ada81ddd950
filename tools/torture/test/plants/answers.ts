import type { Books } from '../../src/audit/books.ts'
import { type Changeable, chargedCall, first, type Plant, remove, seenIds } from './plant.ts'

export const ANSWERS: readonly Plant[] = [
  {
    name: 'a usage row that is missing',
    named: ['every success seen has exactly one usage row', 'usage is charges'],
    change: (books, records) => remove(books.usage, chargedCall(books, records)),
  },
  {
    name: 'a usage row that is missing in the database, and the charge with it',
    named: ['every success seen has exactly one usage row', 'a balance is the sum of its ledger'],
    statements: ({ books, records }) => {
      const { request_id } = chargedCall(books as Changeable<Books>, records)
      return [
        'grant delete on usage_rows to current_user',
        `delete from usage_rows where request_id = '${request_id}'`,
      ]
    },
  },
  {
    name: 'a usage row that is there twice',
    named: ['every success seen has exactly one usage row'],
    change: (books, records) => void books.usage.push({ ...chargedCall(books, records) }),
  },
  {
    name: 'a chained job without the row of a stage',
    named: ['every success seen has exactly one usage row'],
    change: ({ usage }, records) => {
      const seen = seenIds(records)
      remove(
        usage,
        first(usage, ({ stage, request_id }) => stage === 'detail' && seen.has(request_id)),
      )
    },
  },
  {
    name: 'a usage row under another key',
    named: ['every success seen has exactly one usage row'],
    change: (books, records) => {
      chargedCall(books, records).key_id = books.keys[0]!.account_id
    },
  },
  {
    name: 'an answer that names other credits than those charged',
    named: ['credits seen are credits booked'],
    change: (_, { answer }) => {
      const seen = first(answer, ({ status, charged }) => status === 200 && charged === 1)
      seen.charged = 2
    },
  },
  {
    name: 'a row that was shown and not charged',
    named: ['rows seen are rows booked'],
    change: (_, { answer }) => {
      const seen = first(answer, ({ operation, rows }) => operation === 'listListings' && (rows ?? 0) > 1)
      seen.rows = seen.rows! + 1
    },
  },
  {
    name: 'a row outside the area of its search',
    named: ['rows of a search are in its area'],
    change: (_, { answer }) => {
      first(answer, ({ outside }) => outside !== undefined).outside = ['48749425']
    },
  },
  {
    name: 'a failure that cost something',
    named: ['failures are free', 'usage is charges'],
    change: ({ usage }, records) => {
      const seen = seenIds(records)
      first(
        usage,
        ({ status_code, request_id }) => status_code === 400 && seen.has(request_id),
      ).credits_charged = 1
    },
  },
  {
    name: 'a breakdown',
    named: ['every answer is in the contract, none a breakdown'],
    change: (_, { answer }) => {
      first(answer, ({ status }) => status === 400).status = 500
    },
  },
  {
    name: 'an error without its envelope',
    named: ['every answer is in the contract, none a breakdown'],
    change: (_, { answer }) => {
      first(answer, ({ status, whole }) => status === 400 && whole).code = null
    },
  },
]
