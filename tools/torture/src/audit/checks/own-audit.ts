import type { Check } from '../check.ts'

interface Audited {
  readonly clean: boolean
  readonly drift: readonly unknown[]
  readonly checked: { readonly usage_rows: number }
}

/** The service's own audit comes to the same judgement. */
export const ownAuditAgrees: Check = async ({ lotline }, tell) => {
  const { clean, drift, checked } = (await lotline('credits', 'audit')) as Audited
  if (!clean) tell(`lotline credits audit finds ${drift.length} drifts: ${JSON.stringify(drift.slice(0, 5))}`)
  return checked.usage_rows
}
