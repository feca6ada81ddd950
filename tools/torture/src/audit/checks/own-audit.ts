import type { Check } from '../check.ts'

interface AuditResult {
  readonly clean: boolean
  readonly drift: readonly unknown[]
  readonly checked: { readonly usage_rows: number }
}

/** The service's own audit comes to the same judgement, and so does that of the service beside it. */
export const ownAuditAgrees: Check = async ({ lotline, feed }, tell) => {
  let looked = 0
  for (const command of [lotline, feed.lotline]) {
    const { clean, drift, checked } = (await command('credits', 'audit')) as AuditResult
    if (!clean)
      tell(`lotline credits audit finds ${drift.length} drifts: ${JSON.stringify(drift.slice(0, 5))}`)
    looked += checked.usage_rows
  }
  return looked
}
