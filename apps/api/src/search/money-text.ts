// Amounts and areas as text for display. Programs read the numbers beside them.

import { number, text } from '../record/coerce.ts'

const DOLLARS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const AREA = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
const SQFT_PER_ACRE = 43_560

/** `$1,250,000`, rounded to dollars. */
export function dollars(amount: number): string {
  return amount < 0 ? `-$${DOLLARS.format(-amount)}` : `$${DOLLARS.format(amount)}`
}

/** A price shortened for a map: `$1.68M`, `$985K`, `$2,950`. */
export function shortDollars(amount: number): string {
  if (amount >= 999_500) return `$${trimmed(amount / 1_000_000)}M`
  return amount >= 10_000 ? `$${Math.round(amount / 1000)}K` : dollars(amount)
}

/** `4,800 sqft` or `2.3 acres`; null without a lot. `unit` is the source's word; square feet where it says nothing. */
export function lotArea(value: unknown, unit: unknown): string | null {
  const size = number(value)
  if (size === null || size <= 0) return null
  const isAcres = /acre/i.test(text(unit) ?? '')
  const acres = isAcres ? size : size / SQFT_PER_ACRE
  if (acres < 1) return `${DOLLARS.format(acres * SQFT_PER_ACRE)} sqft`
  const shown = AREA.format(acres)
  return shown === '1' ? '1 acre' : `${shown} acres`
}

function trimmed(millions: number): string {
  return String(Number(millions.toFixed(2)))
}
