// The scenario of both clients, run by the TypeScript client. tests/run_scenario.py is the same in Python.

import { Lotline, LotlineError } from '@lotline/client'

export interface Step {
  readonly name: string
  readonly call: string
  readonly args?: readonly unknown[]
  readonly body?: object
  readonly options?: object
  /** Whether the outcome is the rows that an iteration gives. */
  readonly rows?: boolean
}

type Call = (...args: unknown[]) => Promise<{ credits: { charged: number }; data: unknown; meta?: unknown }>

/** The outcome of each step, in order. */
export async function runScenario(
  steps: readonly Step[],
  baseUrl: string,
  apiKey: string,
): Promise<unknown[]> {
  const lotline = new Lotline({ apiKey, baseUrl })
  const outcomes: unknown[] = []
  for (const step of steps) outcomes.push(await outcomeOf(lotline, step))
  return outcomes
}

async function outcomeOf(lotline: Lotline, { call, args = [], body, options, rows }: Step): Promise<unknown> {
  const [resource = '', method = ''] = call.split('.')
  const owner = lotline[resource as keyof Lotline] as unknown as Record<string, Call>
  try {
    const answer = owner[method]!(...args, ...(body ? [body] : []), ...(options ? [options] : []))
    const { credits, data, meta } = await answer
    if (!rows) return { charged: credits.charged, data: digest(data), meta: digest(meta ?? null) }
    const zpids: unknown[] = []
    for await (const { zpid } of answer as unknown as AsyncIterable<{ zpid: string }>) zpids.push(zpid)
    return { charged: credits.charged, rows: zpids }
  } catch (error) {
    if (!(error instanceof LotlineError)) throw error
    return {
      code: error.code,
      status: error.status,
      error: error.name,
      details: digest(error.details ?? null),
    }
  }
}

function digest(value: unknown): unknown {
  if (Array.isArray(value)) return [value.length, value.length > 0 ? digest(value[0]) : null]
  if (typeof value !== 'object' || value === null) return value
  const keys = Object.keys(value).sort()
  return { keys, ...('zpid' in value && { zpid: value.zpid }) }
}
