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

/** What `units` rows in each of the stages cost together, in credits. */
export function priceOfStages(stages: readonly PriceStage[], units: number): number {
  return stages.reduce((sum, stage) => sum + priceOfStage(stage, units), 0)
}

/**
 * The most rows in each of the stages that so many credits pay for. 0 when they do not pay for one; infinitely many when
 * rows are free.
 */
export function affordableRows(stages: readonly PriceStage[], credits: number): number {
  if (priceOfStages(stages, 0) > credits) return 0
  const perRow = stages.reduce((sum, { per, price }) => sum + (per === 'row' ? price : 0), 0)
  if (perRow === 0) return Number.POSITIVE_INFINITY
  // Minimums can only make fewer affordable than the division says.
  let low = 0
  let high = Math.floor(credits / perRow)
  while (low < high) {
    // The sum of the two may be beyond what a number holds exactly.
    const middle = low + Math.ceil((high - low) / 2)
    if (priceOfStages(stages, middle) <= credits) low = middle
    else high = middle - 1
  }
  return low
}
