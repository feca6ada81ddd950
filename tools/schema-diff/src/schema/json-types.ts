import { canonicalJson, elementsOf, isArray, type JsonObject, type JsonValue } from '../json.ts'
import { statedBy } from './schemas.ts'

/** The types of JSON Schema but `null`, which is told apart as nullability. `number` contains `integer`. */
export type JsonType = 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string'

const everyType: ReadonlySet<JsonType> = new Set(['array', 'boolean', 'number', 'object', 'string'])

/** The values, other than null, that a schema permits by its `type`, `enum` and `const`. */
export interface Permitted {
  readonly types: ReadonlySet<JsonType>
  readonly nullable: boolean
  /** Undefined when every value of the types is permitted. */
  readonly values: readonly JsonValue[] | undefined
}

/** What the atoms permit when all of them hold. */
export function permittedBy(atoms: readonly JsonObject[]): Permitted {
  let types = everyType
  let nullable = true
  for (const stated of statedBy(atoms, 'type')) {
    const names = isArray(stated) ? stated : [stated]
    types = intersect(types, new Set(names.filter((name) => name !== 'null') as JsonType[]))
    nullable &&= names.includes('null')
  }
  const lists = [
    ...statedBy(atoms, 'enum').map(elementsOf),
    ...statedBy(atoms, 'const').map((value) => [value]),
  ]
  const values = lists.reduce(valuesIn, lists[0] ?? [])
  if (lists.length === 0) return { types, nullable, values: undefined }
  return {
    types: intersect(types, new Set(values.flatMap((value) => (value === null ? [] : [typeOf(value)])))),
    nullable: nullable && values.includes(null),
    values: values.filter((value) => value !== null),
  }
}

export function permitsType(types: ReadonlySet<JsonType>, type: JsonType): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'))
}

/** The values that also occur among the others. */
export function valuesIn(values: readonly JsonValue[], others: readonly JsonValue[]): readonly JsonValue[] {
  const known = new Set(others.map(canonicalJson))
  return values.filter((value) => known.has(canonicalJson(value)))
}

/** The values that do not occur among the others. */
export function valuesNotIn(
  values: readonly JsonValue[],
  others: readonly JsonValue[],
): readonly JsonValue[] {
  const known = new Set(others.map(canonicalJson))
  return values.filter((value) => !known.has(canonicalJson(value)))
}

/** The types that both sets permit. */
export function intersect(a: ReadonlySet<JsonType>, b: ReadonlySet<JsonType>): ReadonlySet<JsonType> {
  const inBoth = [...a].filter((type) => permitsType(b, type))
  return new Set([...inBoth, ...[...b].filter((type) => permitsType(a, type))])
}

function typeOf(value: JsonValue): JsonType {
  if (isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as 'boolean' | 'object' | 'string'
}
