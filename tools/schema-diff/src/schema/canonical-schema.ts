import { type Contract, resolveReference } from '../contract.ts'
import { isArray, isObject, type JsonValue } from '../json.ts'

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
