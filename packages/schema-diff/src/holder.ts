import { type Contract, follow } from './document.ts'
import { type JsonObject, type JsonValue, membersOf } from './json.ts'
import { firstStatedBy, type Schemas, statedBy } from './schemas.ts'
import { fieldsOf, type Shape, shapeOf, shapeOfAlternative } from './shape.ts'

/** What has an extension: an operation, a response, or a schema. */
export interface Holder {
  /** The value of a keyword; where schemas are joined, the one in force. */
  one(keyword: string): JsonValue | undefined
  /** Its values in all schemas that hold together. */
  all(keyword: string): readonly JsonValue[]
  /** The names of the fields of an input. */
  readonly fields: ReadonlySet<string>
  /** The values that a field of an input may have; undefined when it may have any. */
  valuesOf(field: string): readonly JsonValue[] | undefined
  /** Whether the body of an operation has a field at the dotted path. */
  takes(path: string): boolean
}

/** An operation or a response. */
export function holderOf(contract: Contract, node: JsonObject): Holder {
  return {
    one: (keyword) => node[keyword],
    all: (keyword) => (node[keyword] === undefined ? [] : [node[keyword]]),
    fields: new Set(),
    valuesOf: () => undefined,
    takes: (path) => {
      const content = membersOf(follow(contract, node.requestBody)?.content)
      return [...content.values()].some((type) => {
        const schema = membersOf(follow(contract, type)).get('schema')
        return schema !== undefined && hasField(contract, [schema], path.split('.'))
      })
    },
  }
}

function hasField(contract: Contract, schemas: Schemas, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true
  return [...fieldsOfAll(shapeOf(contract, schemas, 'request'))].some(
    ([field, parts]) => field === name && hasField(contract, parts, rest),
  )
}

/** The fields of an object, also those that only one of its alternatives has. */
function fieldsOfAll(shape: Shape): readonly (readonly [string, Schemas])[] {
  const own = [...fieldsOf(shape)].map(([name, { schemas }]) => [name, schemas] as const)
  const others = shape.alternatives.flatMap((alternative) =>
    fieldsOfAll(shapeOfAlternative(shape, alternative)),
  )
  return [...own, ...others]
}

export function holderOfSchema(shape: Shape): Holder {
  const { contract, direction, atoms } = shape
  return {
    one: (keyword) => firstStatedBy(atoms, keyword),
    all: (keyword) => statedBy(atoms, keyword),
    get fields() {
      return new Set(fieldsOf(shape).keys())
    },
    valuesOf: (name) => {
      const field = fieldsOf(shape).get(name)
      return field && shapeOf(contract, field.schemas, direction).values
    },
    takes: () => false,
  }
}
