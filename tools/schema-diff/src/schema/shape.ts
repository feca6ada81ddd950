import type { Contract } from '../contract.ts'
import { isArray, isObject, type JsonObject, membersOf, stringsOf } from '../json.ts'
import type { Direction } from '../rules.ts'
import { type Permitted, permittedBy } from './json-types.ts'
import { atomsOf, firstStatedBy, type Schemas, statedBy } from './schemas.ts'

export interface Field {
  readonly schemas: Schemas
  readonly required: boolean
}

/** What schemas say of one value, their `$ref`s and `allOf`s followed, ready to be compared. */
export interface Shape extends Permitted {
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
  return { contract, direction, ...permittedBy(atoms), atoms, alternatives: inner.alternatives }
}

type Expanded = Permitted & Pick<Shape, 'atoms' | 'alternatives'>

function expand(contract: Contract, own: readonly JsonObject[], outer: ReadonlySet<JsonObject>): Expanded {
  const passed = new Set([...outer, ...own])
  let atoms = own
  let alternatives: readonly Schemas[] = []
  let { nullable } = permittedBy(own)
  for (const union of [...statedBy(own, 'oneOf'), ...statedBy(own, 'anyOf')]) {
    if (!isArray(union) || union.length === 0) continue
    const branches = union
      .map((schema) => ({ schema, atoms: atomsOf(contract, [schema]) }))
      // A union that contains itself adds nothing to itself.
      .filter((branch) => !branch.atoms.some((atom) => passed.has(atom)))
      .map((branch) => ({ schema: branch.schema, ...expand(contract, branch.atoms, passed) }))
    nullable &&= branches.some((branch) => branch.nullable)
    const notNull = branches.filter((branch) => branch.types.size > 0 || !branch.nullable)
    const substantial = notNull.length > 0 ? notNull : branches.slice(0, 1)
    const [only] = substantial
    if (only && substantial.length === 1) {
      atoms = [...new Set([...atoms, ...only.atoms])]
      alternatives = multiply(alternatives, only.alternatives)
    } else {
      alternatives = multiply(
        alternatives,
        substantial.map(({ schema }) => [schema]),
      )
    }
  }
  return { ...permittedBy(atoms), nullable, atoms, alternatives }
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
  return new Map(
    [...schemas]
      .filter(([, parts]) => firstStatedBy(atomsOf(shape.contract, parts), absent) !== true)
      .map(([name, parts]) => [name, { schemas: parts, required: required.has(name) }]),
  )
}

/** What may stand in an object beside its described fields: nothing, or values of these schemas. */
export function additionalFieldsOf(shape: Shape): { closed: boolean; stated: boolean; schemas: Schemas } {
  const statements = statedBy(shape.atoms, 'additionalProperties')
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
