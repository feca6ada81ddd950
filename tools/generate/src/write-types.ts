import type { Document } from './document.ts'
import { HEADER } from './typescript-text.ts'

/** The module is large, so it is loaded while the bundler still runs. */
export type TypesGenerator = Awaited<ReturnType<typeof loadTypesGenerator>>

export function loadTypesGenerator() {
  return import('openapi-typescript')
}

/**
 * The text of `types.ts`: paths, operations, components and webhooks as they go over the wire. A field with a
 * default stays optional in it, since a caller may leave it out.
 */
export async function writeTypes(generator: TypesGenerator, document: Document): Promise<string> {
  const copy = structuredClone(document) as unknown as Parameters<TypesGenerator['default']>[0]
  const nodes = await generator.default(copy, { defaultNonNullable: false, silent: true })
  return `${HEADER}\n${generator.astToString(nodes)}`
}
