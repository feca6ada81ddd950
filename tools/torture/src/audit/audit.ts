// THE AUDITOR: examines the evidence check by check. A check that found nothing to look at has failed, too.

import { CHECKS, type CheckName } from './checks/index.ts'
import type { Evidence } from './evidence.ts'

export interface CheckVerdict {
  readonly check: CheckName
  /** How many things were looked at. */
  readonly looked: number
  readonly contradictions: readonly string[]
  readonly holds: boolean
}

export async function audit(evidence: Evidence): Promise<CheckVerdict[]> {
  const verdicts: CheckVerdict[] = []
  for (const [name, check] of Object.entries(CHECKS)) {
    const contradictions: string[] = []
    const looked = await check(evidence, (contradiction) => void contradictions.push(contradiction))
    const holds = looked > 0 && contradictions.length === 0
    verdicts.push({ check: name as CheckName, looked, contradictions, holds })
  }
  return verdicts
}

/** The maximum number of contradictions printed for one check. */
const MAX_PRINTED = 10

export function linesOf(verdicts: readonly CheckVerdict[]): string[] {
  return verdicts.flatMap(({ check, looked, contradictions, holds }) => [
    `${holds ? '✔' : '✖'} ${check.padEnd(52)} ${String(looked).padStart(9)}`,
    ...(looked === 0 ? ['    there was nothing to look at'] : []),
    ...contradictions.slice(0, MAX_PRINTED).map((contradiction) => `    ${contradiction}`),
    ...(contradictions.length > MAX_PRINTED ? [`    … and ${contradictions.length - MAX_PRINTED} more`] : []),
  ])
}
