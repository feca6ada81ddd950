import { isObject } from './document.ts'

/** The stages that a price may have besides the only one of an operation without stages. */
const STAGES: readonly string[] = ['search', 'detail']

export interface PriceStage {
  readonly stage: string | null
  readonly price: number
  readonly per: 'call' | 'row'
  /** The least that this stage can cost, in credits. */
  readonly minimum: number
}

/**
 * Reads an operation's `x-credits`: `{price, per: call}`, `{price, per: row, minimum}` (minimum 0 when absent)
 * or `{stages: {search: …, detail: …}}`. What is wrong with it goes into `faults`, each headed by `place`.
 */
export function readPrice(credits: unknown, place: string, faults: string[]): readonly PriceStage[] {
  if (!isObject(credits)) {
    faults.push(`${place}: x-credits is missing`)
    return []
  }
  if (!('stages' in credits)) return readStage(null, credits, place, faults)
  if (!isObject(credits.stages) || Object.keys(credits).length > 1) {
    faults.push(`${place}: x-credits has stages, so they must be an object and its only member`)
    return []
  }
  return Object.entries(credits.stages).flatMap(([stage, node]) => {
    if (STAGES.includes(stage)) return readStage(stage, node, `${place}, stage ${stage}`, faults)
    faults.push(`${place}: x-credits has the unknown stage ${stage}; known are ${STAGES.join(' and ')}`)
    return []
  })
}

function readStage(
  stage: string | null,
  node: unknown,
  place: string,
  faults: string[],
): readonly PriceStage[] {
  const { price, per, minimum, ...others } = isObject(node) ? node : {}
  const before = faults.length
  if (!isCredits(price)) faults.push(`${place}: x-credits.price must be a whole number of at least 0`)
  if (per !== 'call' && per !== 'row') faults.push(`${place}: x-credits.per must be call or row`)
  if (minimum !== undefined && per === 'call')
    faults.push(`${place}: x-credits.minimum has a meaning per row only`)
  if (minimum !== undefined && !isCredits(minimum))
    faults.push(`${place}: x-credits.minimum must be a whole number of at least 0`)
  for (const name of Object.keys(others)) faults.push(`${place}: x-credits.${name} is unknown`)
  if (faults.length > before) return []
  const least = per === 'call' ? price : (minimum ?? 0)
  return [{ stage, price: price as number, per: per as 'call' | 'row', minimum: least as number }]
}

/**
 * Reads an operation's `x-charged-for`: what its price per row is for, where this is not a row of its response. The call
 * is then free, so its price has no minimum.
 */
export function readChargedFor(
  operation: { readonly 'x-credits'?: unknown; readonly 'x-charged-for'?: unknown },
  place: string,
  faults: string[],
): string | undefined {
  const { 'x-credits': credits, 'x-charged-for': chargedFor } = operation
  if (chargedFor === undefined) return undefined
  if (typeof chargedFor !== 'string' || chargedFor.trim() === '')
    faults.push(`${place}: x-charged-for must be the name of what is charged`)
  else if (!isObject(credits) || credits.per !== 'row' || (credits.minimum ?? 0) !== 0)
    faults.push(`${place}: x-charged-for needs a price per row without a minimum`)
  else return chargedFor
  return undefined
}

function isCredits(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
