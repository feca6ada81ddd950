// Computes what a call would cost now, without making it: for POST /v1/estimate, and for calls with `Prefer: dry-run`. Over the data
// set, the work of a call that is not a job is done and its rows are counted, so that the estimate is the charge. Nothing is
// charged or held, and no remote provider is queried.

import {
  affordableRows,
  type Cost,
  cost,
  costOfRows,
  type ErrorCode,
  type Input,
  isCharged,
  type OperationId,
  operations,
  price,
  readMaxCredits,
  type Schemas,
} from '@lotline/contract'
import type { Config } from '../../infrastructure/config.ts'
import type { Database } from '../../infrastructure/database.ts'
import { isRefusal } from '../../infrastructure/refusals.ts'
import { availableCredits, type Balance } from '../../money/credits.ts'
import type { Call } from './call.ts'
import type { Task } from './handler.ts'
import type { PricedResult } from './operation-result.ts'

export interface EstimateDeps {
  readonly config: Pick<Config, 'provider' | 'standIns'>
  readonly database: Database
}

type Estimate = Schemas['Estimate']

export interface EstimatedCall {
  readonly operation: OperationId
  /** Validated, with defaults. */
  readonly input: Input<OperationId>
  /** The task that its handler returned. */
  readonly work: Task
  /** Whether the call would be answered with 304, for free. Absent: it sends no tags. */
  readonly isUnchanged?: (result: PricedResult) => Promise<boolean>
}

const READ_AVAILABLE_CREDITS = `
  select a.balance, a.held, l.remaining as "keyLeft"
  from accounts a left join key_allowances l on l.key_id = $2 where a.id = $1`

export async function estimate(
  { database, config }: Pick<EstimateDeps, 'database' | 'config'>,
  { principal: { accountId, keyId }, tagged }: Pick<Call, 'principal' | 'tagged'>,
  { operation, input, work, isUnchanged }: EstimatedCall,
): Promise<Estimate> {
  // Work that would query a remote provider is not done to count its rows. An operation that is free, or charged later, is not
  // run to find out its cost.
  const { price: prices } = operations[operation]
  const counts =
    config.provider.kind === 'dataset' &&
    config.standIns.length === 0 &&
    isCharged(operations[operation]) &&
    prices.chargedFor === undefined
  const isJob = work.judgesCredits === true
  const { rows } = await database.query<Required<Balance>>(READ_AVAILABLE_CREDITS, [accountId, keyId], {
    name: 'credits',
  })
  const credits = rows[0]!
  const { keyLeft } = credits
  const purse = { credits, isJob, maxCredits: readMaxCredits(input) ?? Number.POSITIVE_INFINITY }
  const available = availableCredits({ ...credits, keyLeft: null })
  const base = { operation, available, ...(keyLeft !== null && { key_remaining: keyLeft }) }
  const costs = cost(operation, input)
  // A conditional call may be free. Like the call, an estimate is refused by its price.
  const least = tagged?.ifNoneMatch === undefined ? costs.min : 0
  const unusable = !counts || isJob ? await work.check?.() : undefined
  if (unusable) return { ...base, ...toRefusedEstimate(unusable.code), exact: true, basis: 'prices' }
  if (!counts || isJob) {
    const range = rangeOfPrices(operation, costs, purse)
    // A job is refused for what the account stores after it is refused for what it costs.
    const full = range.would_be_refused ? undefined : await work.checkStorage?.()
    if (full) return { ...base, ...toRefusedEstimate(full.code), exact: true, basis: 'prices' }
    return {
      ...base,
      ...range,
      min: Math.min(range.min, least),
      exact: costs.max === 0,
      basis: 'prices',
    }
  }
  // The checks of the call, in its order: first the least that it can cost, then what there is.
  const refused = findCreditsRefusal(costs.min, purse)
  const outcome = refused ? undefined : await work()
  const exact = { ...base, exact: true, basis: 'data_set' } as const
  if (refused) return { ...exact, ...toRefusedEstimate(refused) }
  if (!outcome || 'accepted' in outcome)
    throw new Error(`${operation} started its work although only an estimate was requested`)
  if (isRefusal(outcome)) return { ...exact, ...toRefusedEstimate(outcome.code) }
  if (await isUnchanged?.(outcome)) return { ...exact, ...UNCHANGED_ESTIMATE }
  return { ...exact, ...rangeOfRows(operation, outcome.units, purse) }
}

const DRY_RUN_PREFERENCE = /(?:^|,)\s*dry-run\s*(?:[;,]|$)/i

/** Whether a call of this operation with this header `Prefer` is only estimated. */
export function isDryRun(operation: OperationId, prefer: unknown): boolean {
  return typeof prefer === 'string' && DRY_RUN_PREFERENCE.test(prefer) && isCharged(operations[operation])
}

/** The task of a call that is only estimated: it is free, and judges the credits itself. */
export function estimateTask(
  deps: Pick<EstimateDeps, 'database' | 'config'>,
  call: Pick<Call, 'principal' | 'tagged'>,
  asked: EstimatedCall,
): Task {
  const task = async (): Promise<PricedResult> => {
    const data = await estimate(deps, call, asked)
    return { status: 200, units: 0, body: () => ({ data }), isEstimate: true }
  }
  return Object.assign(task, { judgesCredits: true as const })
}

interface Purse {
  readonly credits: Balance
  readonly maxCredits: number
  /** A job never takes the last credit of the account. */
  readonly isJob: boolean
}

type Range = Pick<Estimate, 'min' | 'max' | 'would_be_refused' | 'would_be_truncated' | 'error_code'>

const UNCHANGED_ESTIMATE: Range = {
  min: 0,
  max: 0,
  would_be_refused: false,
  would_be_truncated: false,
  error_code: null,
}

/** The charge of a call that finds `units` rows. */
function rangeOfRows(operation: OperationId, units: number, purse: Purse): Range {
  const [stage] = operations[operation].price.stages
  const rows =
    stage?.per === 'row' ? Math.min(units, affordableRows([stage], spendableCredits(purse))) : units
  if (rows === 0 && units > 0) {
    const refused = findCreditsRefusal(price(operation, null, 1), purse)
    if (refused) return toRefusedEstimate(refused)
  }
  const charge = price(operation, null, rows)
  return {
    min: charge,
    max: charge,
    would_be_refused: false,
    would_be_truncated: rows < units,
    error_code: null,
  }
}

/** The range that follows from the prices and the input. */
function rangeOfPrices(operation: OperationId, { min, max }: Cost, purse: Purse): Range {
  // A job is refused where not even one row of each stage can be held.
  const refused = findCreditsRefusal(purse.isJob ? costOfRows(operation, 1) : min, purse)
  if (refused) return toRefusedEstimate(refused)
  const most = spendableCredits(purse)
  const isCovered = max !== null && max <= most
  return {
    min,
    max: isCovered || max === 0 ? max : Number.isFinite(most) ? most : max,
    would_be_refused: false,
    would_be_truncated: !isCovered,
    error_code: null,
  }
}

function spendableCredits({ credits, maxCredits, isJob }: Purse): number {
  return Math.min(availableCredits(credits, isJob ? 1 : 0), maxCredits)
}

/** The error code depends on which is smallest: the credits, the limit of the key, or that of the client. */
function findCreditsRefusal(required: number, purse: Purse): ErrorCode | undefined {
  const least = spendableCredits(purse)
  if (least >= required) return undefined
  if (purse.maxCredits === least) return 'max_credits_exceeded'
  return purse.credits.keyLeft === least ? 'key_limit_reached' : 'out_of_credits'
}

function toRefusedEstimate(code: ErrorCode): Range {
  return { min: 0, max: 0, would_be_refused: true, would_be_truncated: false, error_code: code }
}
