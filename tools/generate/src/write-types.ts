import type { Document } from './document.ts'
import { HEADER } from './typescript-text.ts'

/** The module is large, so it is loaded while the bundler still runs. */
export type TypesGenerator = Awaited<ReturnType<typeof loadTypesGenerator>>

export function loadTypesGenerator() {
  return import('openapi-typescript')
}

type GeneratorOptions = NonNullable<Parameters<TypesGenerator['default']>[1]>
type SchemaObject = Parameters<NonNullable<GeneratorOptions['transform']>>[0] & {
  readonly 'x-extensible-enum'?: readonly string[]
}

/**
 * The text of `types.ts`: paths, operations, components and webhooks as they go over the wire. A field with a
 * default stays optional in it, since a caller may leave it out.
 */
export async function writeTypes(generator: TypesGenerator, document: Document): Promise<string> {
  const copy = structuredClone(document) as unknown as Parameters<TypesGenerator['default']>[0]
  const transform = (schema: SchemaObject) => openEnum(generator, schema)
  const nodes = await generator.default(copy, { defaultNonNullable: false, silent: true, transform })
  return `${HEADER}\n${generator.astToString(nodes)}`
}

/**
 * `'a' | 'b' | (string & Record<never, never>)`: an editor offers the known values, any other compiles as well, and a
 * `switch` over them needs a default. undefined: not an open enum.
 */
function openEnum(generator: TypesGenerator, { type, 'x-extensible-enum': known }: SchemaObject) {
  if (known === undefined) return undefined
  const { NEVER, NULL, STRING, tsIntersection, tsLiteral, tsRecord, tsUnion } = generator
  const anyText = tsIntersection([STRING, tsRecord(NEVER, NEVER)])
  const isNullable = ([type].flat() as unknown[]).includes('null')
  return tsUnion([...known.map((value) => tsLiteral(value)), anyText, ...(isNullable ? [NULL] : [])])
}
