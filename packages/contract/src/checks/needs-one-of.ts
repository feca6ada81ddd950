// The keyword `x-needs-one-of` of the contract: of some fields of an object, one must be given. JSON Schema says so with
// compositions of `required`, which client generators take for fields that are all required.

import type { ErrorCode } from '../generated/errors.ts'
import { type InputFault, inputFault } from '../messages.ts'

export const NEEDS_ONE_OF = 'x-needs-one-of'

/** The value of the keyword. */
interface NeedsOneOf {
  readonly fields: readonly string[]
  /** The error code if no field is given. Absent if all fields may be missing. */
  readonly none?: ErrorCode
  /** The error code if several fields are given. Absent if several are allowed. */
  readonly several?: ErrorCode
}

interface MissingFields {
  readonly code: ErrorCode
  /** Makes the fault. `placeOf` gives the place of a field in the input. */
  readonly faultWith: (placeOf: (field: string) => string) => InputFault
  /** The field that is missing or superfluous. */
  readonly field: string
}

/** The contract node with the keyword. */
interface NeedsHolder {
  readonly [NEEDS_ONE_OF]?: NeedsOneOf
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>
}

/** undefined: as the keyword wants it. Null, and an empty list in a field for lists, count as not given. */
export function findMissingFields(holder: NeedsHolder, value: unknown): MissingFields | undefined {
  const { [NEEDS_ONE_OF]: rule, properties } = holder
  if (rule === undefined) return undefined
  const { fields, none, several } = rule
  const given = fields.filter((field) => {
    const content = (value as Readonly<Record<string, unknown>>)[field]
    const isEmpty =
      Array.isArray(content) && content.length === 0 && [properties?.[field]?.type].flat().includes('array')
    return content !== undefined && content !== null && !isEmpty
  })
  if (given.length === 0) {
    if (none === undefined) return undefined
    return {
      code: none,
      faultWith: (placeOf) => inputFault('one_required', { places: [joinNames(fields.map(placeOf), 'or')] }),
      field: fields[0]!,
    }
  }
  if (given.length === 1 || several === undefined) return undefined
  return {
    code: several,
    faultWith: (placeOf) => inputFault('only_one', { places: [joinNames(given.map(placeOf), 'and')] }),
    field: given[1]!,
  }
}

/** `a, b or c` */
function joinNames(names: readonly string[], conjunction: 'or' | 'and'): string {
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1)}`
}

/** The part of the Ajv interface that is used here. The contract package itself does not depend on a validator. */
interface Validator {
  addKeyword(definition: {
    keyword: string
    validate: (rule: NeedsOneOf, value: unknown, holder?: object) => boolean
  }): unknown
}

/** Teaches a validator the keywords of the contract. Its findings are read by `faultOf`. */
export function addContractKeywords<V extends Validator>(validator: V): V {
  validator.addKeyword({
    keyword: NEEDS_ONE_OF,
    // A value that is no object is refused for its type.
    validate: (_, value, holder) =>
      !isObject(value) || findMissingFields(holder as NeedsHolder, value) === undefined,
  })
  return validator
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
