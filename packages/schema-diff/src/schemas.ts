import { type Contract, resolveReference } from './document.ts'
import { elementsOf, isArray, isObject, type JsonObject, type JsonValue } from './json.ts'

/**
 * Schemas that must all hold for one value. A field has none when nothing is said of it, and several when an
 * `allOf` speaks of it in several members, so that nothing ever needs to be merged.
 */
export type Schemas = readonly JsonValue[]

/** What the schema `false` means: it permits no value. */
const never: JsonObject = { not: {} }

/** Keywords that lead to what a schema says, or only describe it. */
const silent = new Set(['$ref', 'allOf', 'title', 'description', 'examples'])

/**
 * The schema objects that hold together for a value: the given ones, those that their `$ref`s lead to, and the
 * members of their `allOf`s, each once, unless they say nothing themselves. A schema stands before what it refers
 * to.
 * @throws UsageError when a `$ref` cannot be followed
 */
export function atomsOf(contract: Contract, schemas: Schemas): readonly JsonObject[] {
  const passed = new Set<JsonObject>()
  const visit = (schema: JsonValue) => {
    if (schema === false) passed.add(never)
    if (!isObject(schema) || passed.has(schema)) return
    passed.add(schema)
    if (typeof schema.$ref === 'string') visit(resolveReference(contract, schema.$ref))
    elementsOf(schema.allOf).forEach(visit)
  }
  schemas.forEach(visit)
  return [...passed].filter((schema) => Object.keys(schema).some((keyword) => !silent.has(keyword)))
}

const numbers = new WeakMap<JsonObject, number>()
let lastNumber = 0

/** A text that is the same for the same schema objects, in whatever order they stand. */
export function identityOf(atoms: readonly JsonObject[]): string {
  return atoms
    .map((atom) => {
      const number = numbers.get(atom) ?? ++lastNumber
      numbers.set(atom, number)
      return number
    })
    .sort((a, b) => a - b)
    .join(',')
}

/** The values that the atoms state for a keyword, in order. */
export function statedBy(atoms: readonly JsonObject[], keyword: string): readonly JsonValue[] {
  return atoms.flatMap((atom) => (Object.hasOwn(atom, keyword) ? [atom[keyword] as JsonValue] : []))
}

/** The value of a keyword where only one can be in force: a sibling of a `$ref` overrides its target. */
export function firstStatedBy(atoms: readonly JsonObject[], keyword: string): JsonValue | undefined {
  return statedBy(atoms, keyword)[0]
}

const texts = new Set(['title', 'description', '$comment', 'example', 'examples'])

/** A schema, or a part of one, with its `$ref`s replaced by what they lead to and without its texts and examples. */
export function canonicalSchema(
  contract: Contract,
  node: JsonValue,
  passed: ReadonlySet<string> = new Set(),
): JsonValue {
  if (isArray(node)) return node.map((item) => canonicalSchema(contract, item, passed))
  if (!isObject(node)) return node
  // A field may be called `title`: it is a schema then, and no text.
  const members = Object.entries(node).filter(
    ([key, value]) => key !== '$ref' && !(texts.has(key) && !isObject(value)),
  )
  const plain = Object.fromEntries(
    members.map(([key, value]) => [key, canonicalSchema(contract, value, passed)]),
  )
  const { $ref } = node
  if (typeof $ref !== 'string') return plain
  if (passed.has($ref)) return { ...plain, $ref }
  const target = canonicalSchema(contract, resolveReference(contract, $ref), new Set([...passed, $ref]))
  return isObject(target) ? { ...target, ...plain } : target
}
