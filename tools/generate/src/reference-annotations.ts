/**
 * OpenAPI 3.1 lets annotations stand beside a `$ref`, and most programs that replace references drop them: a
 * default, a description or an error code would be lost without a word. So the bundle has none: where the author
 * wrote some, the reference to a schema moves into an `allOf` beside them, so that generated code still knows the
 * schema by its name, and any other reference becomes a copy of its target that carries them.
 */
import { type Document, isObject, type Reference, resolve } from './document.ts'

const ANNOTATIONS = [
  'default',
  'deprecated',
  'description',
  'example',
  'examples',
  'readOnly',
  'summary',
  'title',
  'writeOnly',
]

const SCHEMAS = '#/components/schemas/'

/** What stands beside a reference and would change what is valid goes into `faults`: it belongs into `allOf`. */
export function mergeReferenceAnnotations(document: Document, faults: string[]): Document {
  return merge(document, '#') as Document

  function merge(node: unknown, place: string): unknown {
    if (Array.isArray(node)) return node.map((item, index) => merge(item, `${place}/${index}`))
    if (!isObject(node)) return node
    const { $ref, ...beside } = node
    if (typeof $ref !== 'string' || Object.keys(beside).length === 0)
      return Object.fromEntries(
        Object.entries(node).map(([name, child]) => [name, merge(child, `${place}/${name}`)]),
      )
    for (const name of Object.keys(beside))
      if (!ANNOTATIONS.includes(name) && !name.startsWith('x-'))
        faults.push(`${place}: ${name} stands beside a reference; put the reference into allOf`)
    if ($ref.startsWith(SCHEMAS)) return { allOf: [{ $ref }], ...beside }
    return merge({ ...resolve<Reference>(document, { $ref }), ...beside }, place)
  }
}
