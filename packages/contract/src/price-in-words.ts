import type { Operation, PriceStage } from './operation.ts'

/** The price of an operation as the manual shows it, such as `1 for each row, at least 1`; the unit is credits. */
export function priceInWords({ price: { stages, chargedFor } }: Operation): string {
  if (chargedFor !== undefined) return `${stages[0]!.price} for each ${chargedFor}; the call itself is free`
  return stages.map(stageInWords).join(', and ')
}

function stageInWords({ stage, price, per, minimum }: PriceStage): string {
  if (per === 'call') return `${price} a call`
  const row = stage === null ? 'row' : stage === 'search' ? 'row of the search' : 'record'
  return `${price} for each ${row}${minimum > 0 ? `, at least ${minimum}` : ''}`
}

/** Whether a success may cost anything. */
export function isCharged({ price: { stages } }: Operation): boolean {
  return stages.some(({ price, minimum }) => price > 0 || minimum > 0)
}
