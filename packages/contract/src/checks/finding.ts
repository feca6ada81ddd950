// Converts an error of the JSON Schema validator into the error that a client gets. The failed schema node names its
// error code in `x-error-code`. The service and the mock share this code, so their responses are equal.

import type { ErrorCode } from '../generated/errors.ts'
import { faultMessage, type InputFault, inputFault, shownValue } from '../messages.ts'
import type { AnyErrorDetails } from '../schemas.ts'
import { shortenFieldName } from './input-reader.ts'
import { type JsonType, nameTypes } from './json-types.ts'
import { findMissingFields, NEEDS_ONE_OF } from './needs-one-of.ts'

/** One finding of Ajv with `verbose: true`; of several the first one counts. */
export interface Finding {
  readonly keyword: string
  /** A JSON pointer into the validated value. */
  readonly instancePath: string
  readonly message?: string | undefined
  readonly params?: Readonly<Record<string, unknown>>
  /** The contract node that failed. */
  readonly parentSchema?: Readonly<Record<string, unknown>> | undefined
  /** The validated value. */
  readonly data?: unknown
}

/** Invalid input in the form of the error envelope. */
export interface Fault {
  readonly code: ErrorCode
  readonly message: string
  readonly details: { readonly parameter: string } & AnyErrorDetails
}

/**
 * The code is the one that the failed node names; without one an absent field is `missing_input` and anything else
 * `invalid_parameter`.
 *
 * @param part what was judged, to be named where the finding is about all of it: `body`, for example
 */
export function describeFinding(finding: Finding, part: string): Fault {
  const { keyword, instancePath, params, parentSchema, data } = finding
  const named = parentSchema?.['x-error-code'] as ErrorCode | undefined
  if (keyword === 'required') {
    const place = describePlace(instancePath, String(params?.missingProperty))
    return describeFaultAt(place, named ?? 'missing_input', inputFault('required', {}))
  }
  const place = describePlace(instancePath) || part
  if (keyword === 'additionalProperties') {
    const known = Object.keys((parentSchema?.properties as object | undefined) ?? {})
    const field = shortenFieldName(String(params?.additionalProperty))
    const fault = inputFault('unknown_field', { field, known })
    return describeFaultAt(place, named ?? 'invalid_parameter', fault, `${place}.${field}`)
  }
  if (keyword === NEEDS_ONE_OF) {
    const found = findMissingFields(parentSchema ?? {}, data)
    if (found) {
      const fieldAt = (field: string) => describePlace(instancePath, field)
      return describeFaultAt(fieldAt(found.field), found.code, found.faultWith(fieldAt))
    }
  }
  return describeFaultAt(place, named ?? 'invalid_parameter', describeRule(finding))
}

/** @param parameter where it is not the place that the message names */
function describeFaultAt(place: string, code: ErrorCode, fault: InputFault, parameter = place): Fault {
  return { code, message: faultMessage(code, place, fault), details: { parameter } }
}

function describePlace(instancePath: string, name?: string): string {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return [...steps, ...(name === undefined ? [] : [name])].join('.')
}

/** The message: what is wrong and what is allowed. `x-form` in the contract describes a pattern in words. */
function describeRule({ keyword, params, parentSchema, data }: Finding): InputFault {
  const value = shownValue(data)
  const bound = Number(params?.limit)
  switch (keyword) {
    case 'type':
      return inputFault('type', { type: nameTypes([params?.type].flat() as JsonType[]), value })
    case 'enum':
      return inputFault('choice', { choices: listChoices(params).map(String), value })
    case 'minLength':
      return inputFault('too_short', { bound, length: countCharacters(data) })
    case 'maxLength':
      return inputFault('too_long', { bound, length: countCharacters(data) })
    case 'minItems':
      return inputFault('too_few', { bound, length: (data as readonly unknown[]).length })
    case 'maxItems':
      return inputFault('too_many', { bound, length: (data as readonly unknown[]).length })
    case 'maxProperties':
      return inputFault('too_many', { bound, length: Object.keys(data as object).length })
    case 'minimum':
      return inputFault('too_small', { bound, value })
    case 'maximum':
      return inputFault('too_large', { bound, value })
    case 'uniqueItems':
      return inputFault('named_twice', {
        value: shownValue((data as readonly unknown[])[Number(params?.i)]),
      })
    default: {
      const form = parentSchema?.['x-form']
      return typeof form === 'string'
        ? inputFault('form', { form: [form], value })
        : inputFault('other_form', { value })
    }
  }
}

/** The list omits null, which is allowed too. */
function listChoices(params: Finding['params']): readonly unknown[] {
  return [params?.allowedValues].flat().filter((choice) => choice !== null)
}

/** Counts characters as JSON Schema does. */
function countCharacters(data: unknown): number {
  let count = 0
  for (const _ of String(data)) count += 1
  return count
}
