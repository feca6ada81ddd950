import type { Contract } from './document.ts'
import {
  canonicalJson,
  elementsOf,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  membersOf,
  stringsOf,
} from './json.ts'
import type { Direction } from './policy.ts'
import { atomsOf, firstStatedBy, type Schemas, statedBy } from './schemas.ts'

/** The types of JSON Schema but `null`, which is told apart as nullability. `number` contains `integer`. */
export type JsonType = 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string'

const everyType: ReadonlySet<JsonType> = new Set(['array', 'boolean', 'number', 'object', 'string'])

/** The values, other than null, that a schema permits by its `type`, `enum` and `const`. */
export interface PermittedValues {
  readonly types: ReadonlySet<JsonType>
  readonly nullable: boolean
  /** Undefined when every value of the types is permitted. */
  readonly values: readonly JsonValue[] | undefined
  /** What an open enum lists: other values of the types are permitted as well. Undefined where there is none. */
  readonly listed: readonly JsonValue[] | undefined
}

/** Holds what an open enum lists in the atom that a union was read as. */
const LISTED = 'x-schema-diff-listed'

/**
 * What the atoms permit when all of them hold.
 * @param openEnums keywords that declare an enum open, or list its values themselves
 */
function permittedBy(atoms: readonly JsonObject[], openEnums: readonly string[]): PermittedValues {
  let types = everyType
  let nullable = true
  for (const stated of statedBy(atoms, 'type')) {
    const names = isArray(stated) ? stated : [stated]
    types = intersect(types, new Set(names.filter((name) => name !== 'null') as JsonType[]))
    nullable &&= names.includes('null')
  }
  const isOpen = (atom: JsonObject) => openEnums.some((keyword) => atom[keyword] === true)
  const closed = atoms.filter((atom) => !isOpen(atom))
  const open = [
    ...statedBy(atoms.filter(isOpen), 'enum'),
    ...[LISTED, ...openEnums].flatMap((keyword) => statedBy(atoms, keyword)),
  ].filter(isArray)
  const lists = [
    ...statedBy(closed, 'enum').map(elementsOf),
    ...statedBy(atoms, 'const').map((value) => [value]),
  ]
  const values = lists.reduce(valuesIn, lists[0] ?? [])
  if (lists.length === 0) {
    const listed = open.length === 0 ? undefined : open.flat().filter((value) => value !== null)
    return { types: listed ? intersect(types, typesOf(listed)) : types, nullable, values: undefined, listed }
  }
  return {
    types: intersect(types, typesOf(values)),
    nullable: nullable && values.includes(null),
    values: values.filter((value) => value !== null),
    listed: undefined,
  }
}

function typesOf(values: readonly JsonValue[]): ReadonlySet<JsonType> {
  return new Set(values.flatMap((value) => (value === null ? [] : [typeOf(value)])))
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

/** Of any value but null, which is no type here. */
export function typeOf(value: JsonValue): JsonType {
  if (isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as 'boolean' | 'object' | 'string'
}

export interface Field {
  readonly schemas: Schemas
  readonly required: boolean
}

/** What schemas say of one value, their `$ref`s and `allOf`s followed, ready to be compared. */
export interface Shape extends PermittedValues {
  readonly contract: Contract
  readonly direction: Direction
  readonly atoms: readonly JsonObject[]
  /**
   * The branches of `oneOf` and `anyOf`, without one that only permits null (that is nullability) and without a
   * union of a single branch (that is an `allOf`). Several unions are multiplied out. Empty when there is no union.
   */
  readonly alternatives: readonly Schemas[]
}

/**
 * Reads schemas as a shape.
 * @param direction `readOnly` fields are no part of a request, `writeOnly` fields no part of a response
 */
export function shapeOf(contract: Contract, schemas: Schemas, direction: Direction): Shape {
  return { contract, direction, ...expand(contract, atomsOf(contract, schemas), new Set()) }
}

/** The shape of one alternative of a union, everything that stands beside the union included. */
export function shapeOfAlternative(shape: Shape, alternative: Schemas): Shape {
  const { contract, direction } = shape
  const inner = expand(contract, atomsOf(contract, alternative), new Set())
  const atoms = [...new Set([...shape.atoms, ...inner.atoms])]
  const permitted = permittedBy(atoms, contract.openEnums ?? [])
  return { contract, direction, ...permitted, atoms, alternatives: inner.alternatives }
}

type ExpandedShape = PermittedValues & Pick<Shape, 'atoms' | 'alternatives'>

function expand(
  contract: Contract,
  own: readonly JsonObject[],
  outer: ReadonlySet<JsonObject>,
): ExpandedShape {
  const openEnums = contract.openEnums ?? []
  const passed = new Set([...outer, ...own])
  let atoms = own
  let alternatives: readonly Schemas[] = []
  let { nullable } = permittedBy(own, openEnums)
  for (const union of [...statedBy(own, 'oneOf'), ...statedBy(own, 'anyOf')]) {
    if (!isArray(union) || union.length === 0) continue
    const branches = union
      .map((schema) => ({ schema, own: atomsOf(contract, [schema]) }))
      // A union that contains itself adds nothing to itself.
      .filter((branch) => !branch.own.some((atom) => passed.has(atom)))
      .map((branch) => ({ ...branch, ...expand(contract, branch.own, passed) }))
    nullable &&= branches.some((branch) => branch.nullable)
    const notNull = branches.filter((branch) => branch.types.size > 0 || !branch.nullable)
    const substantial = notNull.length > 0 ? notNull : branches.slice(0, 1)
    const [only] = substantial
    const enumeration = asEnum(union, substantial)
    if (enumeration) {
      atoms = [...atoms, enumeration]
    } else if (only && substantial.length === 1) {
      atoms = [...new Set([...atoms, ...only.atoms])]
      alternatives = multiply(alternatives, only.alternatives)
    } else {
      alternatives = multiply(
        alternatives,
        // A union in a union that says nothing else is a part of the outer one.
        substantial.flatMap((branch) =>
          branch.alternatives.length > 0 && saysOnly(branch.own, UNION)
            ? branch.alternatives
            : [[branch.schema]],
        ),
      )
    }
  }
  return { ...permittedBy(atoms, openEnums), nullable, atoms, alternatives }
}

const UNION = ['oneOf', 'anyOf']
const VALUES = ['type', 'enum', 'const']
/** Keywords that say nothing about which values are permitted. */
const ANNOTATIONS = new Set(['title', 'description', 'example', 'examples', '$comment', 'externalDocs'])

function saysOnly(atoms: readonly JsonObject[], keywords: readonly string[]): boolean {
  return atoms.every((atom) =>
    Object.keys(atom).every((key) => keywords.includes(key) || ANNOTATIONS.has(key)),
  )
}

/** One object for one union, so that a recursive schema is recognized. */
const enumerations = new WeakMap<readonly JsonValue[], JsonObject>()

/**
 * A union of values is an enum in other words: of constants and enums only, a closed one; with any string beside them, an
 * open one. Undefined for other unions.
 */
function asEnum(union: readonly JsonValue[], branches: readonly ExpandedShape[]): JsonObject | undefined {
  if (branches.length < 2) return undefined
  const known = enumerations.get(union)
  if (known) return known
  const closed = branches.filter(({ values, atoms }) => values !== undefined && saysOnly(atoms, VALUES))
  const anyString = branches.filter(
    ({ values, listed, types, atoms }) =>
      values === undefined &&
      listed === undefined &&
      types.size === 1 &&
      types.has('string') &&
      saysOnly(atoms, ['type']),
  )
  const values = [
    ...new Map(
      closed.flatMap((branch) => branch.values ?? []).map((value) => [canonicalJson(value), value]),
    ).values(),
  ]
  const isOpen = anyString.length === 1 && values.every((value) => typeof value === 'string')
  if (closed.length === 0 || closed.length + (isOpen ? 1 : 0) !== branches.length) return undefined
  const atom: JsonObject = isOpen
    ? { type: ['string', 'null'], [LISTED]: values }
    : { enum: [...values, null] }
  enumerations.set(union, atom)
  return atom
}

function multiply(a: readonly Schemas[], b: readonly Schemas[]): readonly Schemas[] {
  if (a.length === 0) return b
  if (b.length === 0) return a
  return a.flatMap((left) => b.map((right) => [...left, ...right]))
}

/** The fields that travel in the shape's direction; one that is only required, but not described, is among them. */
export function fieldsOf(shape: Shape): ReadonlyMap<string, Field> {
  const required = new Set(statedBy(shape.atoms, 'required').flatMap(stringsOf))
  const schemas = new Map<string, Schemas>([...required].map((name) => [name, []]))
  for (const properties of statedBy(shape.atoms, 'properties')) {
    for (const [name, schema] of membersOf(properties))
      schemas.set(name, [...(schemas.get(name) ?? []), schema])
  }
  const absent = shape.direction === 'request' ? 'readOnly' : 'writeOnly'
  const closed = shape.atoms.filter((atom) => atom.additionalProperties === false)
  return new Map(
    [...schemas]
      // A closed schema refuses what only the others describe.
      .filter(([name]) => closed.every((atom) => describesField(atom, name)))
      .filter(([, parts]) => firstStatedBy(atomsOf(shape.contract, parts), absent) !== true)
      .map(([name, parts]) => [name, { schemas: parts, required: required.has(name) }]),
  )
}

function describesField({ properties, patternProperties }: JsonObject, name: string): boolean {
  if (isObject(properties) && Object.hasOwn(properties, name)) return true
  return [...membersOf(patternProperties).keys()].some((pattern) => matches(name, pattern))
}

/** A pattern that this engine cannot read may match anything. */
function matches(name: string, pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name)
  } catch {
    return true
  }
}

/** The schemas of fields whose names match a pattern, by the pattern. */
export function patternFieldsOf(shape: Shape): ReadonlyMap<string, Schemas> {
  const patterns = new Map<string, Schemas>()
  for (const stated of statedBy(shape.atoms, 'patternProperties')) {
    for (const [pattern, schema] of membersOf(stated)) {
      patterns.set(pattern, [...(patterns.get(pattern) ?? []), schema])
    }
  }
  return patterns
}

/**
 * What may be in an object beside its described fields: nothing, or values of these schemas. The members of an `allOf` are
 * joined already, so that `unevaluatedProperties` means the same as `additionalProperties`.
 */
export function additionalFieldsOf(shape: Shape): { closed: boolean; stated: boolean; schemas: Schemas } {
  const statements = ['additionalProperties', 'unevaluatedProperties'].flatMap((keyword) =>
    statedBy(shape.atoms, keyword),
  )
  return {
    closed: statements.includes(false),
    stated: statements.length > 0,
    schemas: statements.filter(isObject),
  }
}

/** What the elements of an array are. */
export function itemsOf(shape: Shape): Schemas {
  return statedBy(shape.atoms, 'items')
}

/** A shape in a few words, for a report: `string | null`, `"a" | "b"`, `array`. */
export function describeShape(shape: Shape): string {
  const { values, listed, nullable } = shape
  const known = (values ?? listed)?.map((value) => JSON.stringify(value))
  const kinds = known ? [...known, ...(listed ? ['any string'] : [])] : describeTypes(shape)
  return [...kinds, ...(nullable && kinds[0] !== 'anything' ? ['null'] : [])].join(' | ') || 'nothing'
}

function describeTypes({ types, nullable, atoms, alternatives }: Shape): readonly string[] {
  if (types.size === 5 && types.has('number')) {
    if (alternatives.length > 0) return [`one of ${alternatives.length} alternatives`]
    return [nullable ? 'anything' : 'anything but null']
  }
  const formats = atoms.flatMap((atom) => (typeof atom.format === 'string' ? [` (${atom.format})`] : []))
  return [...types].sort().map((type) => (types.size === 1 ? `${type}${formats.join('')}` : type))
}
