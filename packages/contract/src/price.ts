import { type OperationId, operations } from './generated/operations.ts'
import type { PriceStage, Stage } from './operation.ts'

/**
 * What a stage of an operation costs, in credits. This is the only place that computes credits: what is charged
 * and what an audit expects both come from here.
 *
 * @param operation the operation's id
 * @param stage null for an operation without stages
 * @param units rows returned, a whole number of at least 0; without effect on a price per call
 * @throws when the operation has no such stage, or units is no such number
 */
export function price(operation: OperationId, stage: Stage, units: number): number {
  const priced = operations[operation].price.stages.find((candidate) => candidate.stage === stage)
  if (priced === undefined) throw new Error(`${operation} has no ${stage ?? 'single'} stage to be priced.`)
  return priceOfStage(priced, units)
}

/** The same for a stage that is at hand. */
export function priceOfStage(stage: PriceStage, units: number): number {
  if (!Number.isSafeInteger(units) || units < 0)
    throw new RangeError(`Units are a whole number of at least 0, not ${units}.`)
  return stage.per === 'call' ? stage.price : Math.max(stage.minimum, units * stage.price)
}
