// The scenario of both clients, run by the TypeScript client. tests/run_scenario.py is the same in Python.

import { setTimeout } from 'node:timers/promises'
import { type Credits, Lotline, LotlineError } from '@lotline/client'
import { calls } from '@lotline/client/every-operation'
import type { OperationId } from '@lotline/contract'

export interface ScenarioStep {
  readonly name: string
  readonly call: string
  readonly args?: readonly unknown[]
  readonly body?: object
  readonly options?: object
  /** The name of a key in `Scenario.keys`, or a key itself. The default is that of an account with credits. */
  readonly key?: string
  /** Where it runs; both if left out. */
  readonly only?: 'mock' | 'service'
  /** How often it is called. The outcome is the last one. */
  readonly repeat?: number
  /** The error code that the call has in the end: until then, it is repeated. A revoked key is refused within a second. */
  readonly until?: string
  /** Whether the outcome is the rows that an iteration gives. */
  readonly rows?: boolean
  /** The number of rows or pages after which the iteration stops. */
  readonly take?: number
  /** Whether `call` gives pages. */
  readonly pages?: boolean
  /** What of the result later steps use as `${name}`: a path. */
  readonly save?: Readonly<Record<string, string>>
  /** Values of the result that must be equal, by their paths. Of other values, only the shape is compared. */
  readonly show?: Readonly<Record<string, string>>
  /** What happens to the first attempts of each of its requests. */
  readonly faults?: readonly string[]
}

/** What both clients are given. */
export interface Scenario {
  readonly url: string
  /** API keys by their name in the steps; `main` is the usual one. */
  readonly keys: Readonly<Record<string, string>>
  readonly steps: readonly ScenarioStep[]
  /** What steps use as `${name}` from the beginning. */
  readonly values?: Readonly<Record<string, string>>
  /** Calls of every-operation whose response is the documented error. */
  readonly errors: readonly (readonly [operation: OperationId, status: number, code: string])[]
  /** Calls of every-operation whose first attempt has a fault. */
  readonly faults: readonly (readonly [operation: OperationId, fault: string])[]
}

export interface Outcomes {
  readonly steps: unknown[]
  readonly errors: unknown[]
  readonly faults: unknown[]
}

/** The length of `${long}`. */
const LONG_TEXT_LENGTH = 20_000
/** How long a step with `until` is repeated, and the pause between two calls. Milliseconds. */
const MAX_UNTIL_MS = 20_000
const POLL_MS = 50

type JsonObject = Record<string, unknown>
type SdkResult = Promise<JsonObject> & AsyncIterable<JsonObject> & { pages(): AsyncIterable<JsonObject> }

export async function runScenario({ url, keys, values, ...scenario }: Scenario): Promise<Outcomes> {
  const clients = new Map(
    Object.entries(keys).map(([name, apiKey]) => [name, new Lotline({ apiKey, baseUrl: url })]),
  )
  const lotline = clients.get('main')!
  const saved: Record<string, string> = { long: 'x'.repeat(LONG_TEXT_LENGTH), ...values }
  const outcomes: Outcomes = { steps: [], errors: [], faults: [] }
  for (const step of scenario.steps) {
    const filled = JSON.parse(fillPlaceholders(JSON.stringify(step), saved)) as ScenarioStep
    const owner = filled.key ?? 'main'
    if (!clients.has(owner)) clients.set(owner, new Lotline({ apiKey: owner, baseUrl: url }))
    const make = () => captureOutcome(() => run(clients.get(owner)!, filled, saved))
    let outcome = await make()
    const late = performance.now() + MAX_UNTIL_MS
    while (
      step.until !== undefined &&
      errorCodeFromOutcome(outcome) !== step.until &&
      performance.now() < late
    ) {
      await setTimeout(POLL_MS)
      outcome = await make()
    }
    outcomes.steps.push(outcome)
  }
  for (const [operation, status, code] of scenario.errors) {
    const headers = { Prefer: `code=${status}, example=${code}` }
    const outcome = await captureOutcome(() => calls[operation](lotline, { headers, maxRetries: 0 }))
    outcomes.errors.push(outcome)
  }
  for (const [operation, fault] of scenario.faults) {
    const headers = { 'x-fault-plan': `${operation} ${fault};${fault}` }
    const outcome = await captureOutcome(async () => {
      await calls[operation](lotline, { headers })
      return 'ok'
    })
    outcomes.faults.push(outcome)
  }
  return outcomes
}

async function run(lotline: Lotline, step: ScenarioStep, saved: Record<string, string>): Promise<unknown> {
  const [resource = '', method = ''] = step.call.split('.')
  const owner = lotline[resource as keyof Lotline] as unknown as Record<
    string,
    (...args: unknown[]) => SdkResult
  >
  const planned = step.faults && { headers: { 'x-fault-plan': `${step.name};${step.faults}` } }
  const options = (step.options || planned) && { ...step.options, ...planned }
  const call = () =>
    owner[method]!(...(step.args ?? []), ...(step.body ? [step.body] : []), ...(options ? [options] : []))
  for (let valueAtPath = 1; valueAtPath < (step.repeat ?? 1); valueAtPath++) await call()
  if (step.pages)
    return {
      pages: await takeValueAtPath(call().pages(), step.take, ({ data }) => (data as JsonObject[]).length),
    }
  const answer = call()
  const result = await answer
  for (const [name, path] of Object.entries(step.save ?? {})) saved[name] = String(at(result, path))
  if (step.rows)
    return { charged: readCharge(result), rows: await takeValueAtPath(answer, step.take, rowName) }
  if ('format' in result) {
    const lines = (await (result as unknown as { text(): Promise<string> }).text()).trim().split('\n')
    return { charged: readCharge(result), meta: result.meta, lines: lines.length, first: lines[0]!.trim() }
  }
  const shown = Object.entries(step.show ?? {}).map(([name, path]) => [name, at(result, path) ?? null])
  return {
    charged: readCharge(result),
    keyLeft: readCredits(result).keyRemaining ?? null,
    data: digest(result.data ?? null),
    meta: digest(result.meta ?? null),
    ...(step.show && { shown: Object.fromEntries(shown) }),
  }
}

async function captureOutcome(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof LotlineError)) throw error
    return {
      code: error.code,
      status: error.status ?? null,
      error: error.name,
      details: digest(error.details ?? null),
      page: error.docUrl === undefined ? null : new URL(error.docUrl).hash,
      saysWhen: error.retryAfterMs !== undefined,
      charged: error.credits?.charged ?? null,
    }
  }
}

function errorCodeFromOutcome(outcome: unknown): string | undefined {
  return (outcome as { code?: string }).code
}

async function takeValueAtPath<Of, To>(
  from: AsyncIterable<Of>,
  most = Infinity,
  of: (one: Of) => To,
): Promise<To[]> {
  const taken: To[] = []
  for await (const one of from) {
    taken.push(of(one))
    if (taken.length >= most) break
  }
  return taken
}

/** What tells a row from the others: homes have a zpid, events a type, units a number. */
function rowName(row: JsonObject): unknown {
  return row.zpid ?? row.type ?? row.unitNumber ?? Object.keys(row).toSorted()
}

function readCredits(result: JsonObject): Credits {
  return result.credits as Credits
}

function readCharge(result: JsonObject): number {
  return readCredits(result).charged
}

/** What two runs have in common: the shape, the counts, and the zpids. */
function digest(value: unknown): unknown {
  if (Array.isArray(value)) return [value.length, value.length > 0 ? digest(value[0]) : null]
  if (typeof value !== 'object' || value === null) return value
  const keys = Object.keys(value).sort()
  return { keys, ...('zpid' in value && { zpid: value.zpid }) }
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce((of, name) => (of as JsonObject)[name], value)
}

function fillPlaceholders(text: string, saved: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)\}/g, (whole, name: string) => saved[name] ?? whole)
}
