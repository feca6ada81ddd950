// What accounts buy: each purchase that is paid has given its credits once, and what was paid back has deducted no more than that.

import type { Check } from '../check.ts'

export const paidPurchasesAreGranted: Check = ({ books }, tell) => {
  const postings = new Map(books.postings.map((posting) => [`${posting.account_id} ${posting.id}`, posting]))
  const granted = new Set<string>()
  for (const { id, account_id, state, credits, movement_id, deducted, reversed } of books.purchases) {
    if (state !== 'paid') {
      if (movement_id !== null) tell(`purchase ${id} is ${state} and has given credits`)
      continue
    }
    const key = `${account_id} ${movement_id}`
    const posting = postings.get(key)
    if (posting?.amount !== credits || !['grant', 'topup'].includes(posting.kind)) {
      tell(`purchase ${id} was to give ${credits} credits and gave ${posting?.amount ?? 'none'}`)
    }
    if (granted.has(key)) tell(`purchase ${id} shares its credits with another one`)
    granted.add(key)
    // Its account has more credits than any refund takes, so nothing was spent before.
    if (deducted !== reversed)
      tell(`${reversed} credits of purchase ${id} were paid back, and ${deducted} deducted`)
  }
  return granted.size
}
