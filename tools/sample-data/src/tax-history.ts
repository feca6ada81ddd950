import { REFERENCE_YEAR, yearOf } from '@lotline/sample/calendar'
import type { Home } from './home.ts'
import { isWholeBuilding } from './home.ts'
import { formerShare } from './market.ts'
import { changeRate, round, toStep } from './numbers.ts'
import type { TaxYear } from './property.ts'
import { randomFor } from './random.ts'

const MAX_YEARS = 10
/** Assessors stay below the market. */
const ASSESSED_SHARE = 0.87

/** One entry a year since it was built, newest first; none for rented flats and whole buildings. */
export function taxHistoryOf(home: Home, asOf: number): TaxYear[] {
  if (home.homeType === 'APARTMENT' || isWholeBuilding(home)) return []
  const random = randomFor(home.zpid, 'taxes')
  const age = REFERENCE_YEAR - (home.size.yearBuilt ?? 0)
  const years = Math.min(MAX_YEARS - random.int(0, 3), Math.max(1, age))
  const history: TaxYear[] = []
  let before: { value: number; paid: number } | undefined
  for (let yearsAgo = years; yearsAgo >= 1; yearsAgo--) {
    const share = formerShare(yearsAgo) * ASSESSED_SHARE * random.between(0.98, 1.02)
    const value = toStep(home.value * share, 100)
    const paid = round(value * home.place.metro.taxRate * random.between(0.97, 1.03), 2)
    const isUnknown = yearsAgo === 1 && random.chance(0.1)
    history.unshift({
      time: Date.UTC(yearOf(asOf) - yearsAgo, 6, 1),
      taxPaid: isUnknown ? null : paid,
      taxIncreaseRate: before ? changeRate(before.paid, paid) : null,
      value,
      valueIncreaseRate: before ? changeRate(before.value, value) : null,
    })
    before = { value, paid }
  }
  return history
}
