export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null'

const TYPE_NAMES: Readonly<Record<JsonType, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

/** "a number", "a string or a list". That null is allowed too is not said. */
export function nameTypes(types: Iterable<JsonType>): string {
  const names = [...types].filter((type) => type !== 'null').map((type) => TYPE_NAMES[type])
  return names.length === 0 ? TYPE_NAMES.null : names.join(' or ')
}
