// What a finding of a JSON Schema validator means to a caller. The contract says it itself: the schema node that failed
// names its error code in `x-error-code`. Whoever judges input by the contract (the service, the mock) answers alike by
// reading findings here.

import type { ErrorCode } from '../generated/errors.ts'
import { shortened } from './input-reader.ts'
import { type JsonType, nameTypes } from './json-types.ts'
import { findShortcoming, NEEDS_ONE_OF } from './needs-one-of.ts'

/** One finding of Ajv with `verbose: true`; of several the first one counts. */
export interface Finding {
  readonly keyword: string
  /** JSON pointer into the judged value. */
  readonly instancePath: string
  readonly message?: string | undefined
  readonly params?: Readonly<Record<string, unknown>>
  /** The node of the contract that failed. */
  readonly parentSchema?: Readonly<Record<string, unknown>> | undefined
  /** What was judged. */
  readonly data?: unknown
}

/** Wrong input, as the error envelope says it. */
export interface Fault {
  readonly code: ErrorCode
  readonly message: string
  readonly details: { readonly parameter: string }
}

/**
 * The code is the one that the failed node names; without one an absent field is `missing_input` and anything else
 * `invalid_parameter`.
 *
 * @param part what was judged, to be named where the finding is about all of it: `body`, for example
 */
export function faultOf(finding: Finding, part: string): Fault {
  const named = finding.parentSchema?.['x-error-code'] as ErrorCode | undefined
  if (finding.keyword === 'required') {
    const place = placeOf(finding.instancePath, String(finding.params?.missingProperty))
    return { code: named ?? 'missing_input', message: `${place} is required.`, details: { parameter: place } }
  }
  const place = placeOf(finding.instancePath) || part
  if (finding.keyword === 'additionalProperties') {
    const known = Object.keys((finding.parentSchema?.properties as object | undefined) ?? {}).join(', ')
    const unknown = shortened(String(finding.params?.additionalProperty))
    return {
      code: named ?? 'invalid_parameter',
      message: `${place} has an unknown field: ${unknown}. It takes ${known}.`,
      details: { parameter: `${place}.${unknown}` },
    }
  }
  if (finding.keyword === NEEDS_ONE_OF) {
    const found = findShortcoming(finding.parentSchema ?? {}, finding.data)
    if (found !== undefined) {
      const parameter = placeOf(finding.instancePath, found.field)
      return { code: found.code, message: `${found.message}.`, details: { parameter } }
    }
  }
  return {
    code: named ?? 'invalid_parameter',
    message: `${place} ${problemOf(finding)}.`,
    details: { parameter: place },
  }
}

function placeOf(instancePath: string, name?: string): string {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return [...steps, ...(name === undefined ? [] : [name])].join('.')
}

/** What was wrong and what would be right. The contract says in `x-form` what a pattern is for people. */
function problemOf({ keyword, params, message, parentSchema }: Finding): string {
  const limit = String(params?.limit)
  const allowed = params?.allowedValues
  switch (keyword) {
    case 'type':
      return `must be ${nameTypes([params?.type].flat() as JsonType[])}`
    case 'enum':
      return `must be one of ${Array.isArray(allowed) ? allowed.join(', ') : 'the documented values'}`
    case 'pattern':
    case 'format':
      return parentSchema?.['x-form'] ? `must be ${parentSchema['x-form']}` : 'does not have the right form'
    case 'minLength':
      return `must have at least ${counted(limit, 'character')}`
    case 'maxLength':
      return `must have at most ${counted(limit, 'character')}`
    case 'minItems':
      return `must have at least ${counted(limit, 'entry', 'entries')}`
    case 'maxItems':
      return `must have at most ${counted(limit, 'entry', 'entries')}`
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    default:
      return message ?? 'is not valid'
  }
}

function counted(limit: string, one: string, many = `${one}s`): string {
  return `${limit} ${limit === '1' ? one : many}`
}
