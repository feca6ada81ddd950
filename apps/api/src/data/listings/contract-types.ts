// Which JSON types the contract allows for a value of a record, by its place in the record.

import { openapi } from '@lotline/contract'
import type { JsonType } from '@lotline/contract/checks'

export type JsonTypes = ReadonlySet<JsonType>

interface Schema {
  readonly $ref?: string
  readonly format?: string
  readonly type?: JsonType | readonly JsonType[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

const SCHEMAS = (openapi as unknown as { components: { schemas: Readonly<Record<string, Schema>> } })
  .components.schemas

type Path = readonly (string | number)[]

/** By the path itself: each path of a mapping is one array, which is asked about with every record. */
const known = new WeakMap<Path, JsonTypes | null>()

/** A step is a field's name, or a number for any element of a list. undefined: the contract does not know the place. */
export function findTypesAt(path: Path): JsonTypes | undefined {
  let types = known.get(path)
  if (types === undefined) {
    const found = new Set(schemasAt(path).flatMap(({ type }) => type ?? []))
    types = found.size === 0 ? null : found
    known.set(path, types)
  }
  return types ?? undefined
}

/** The format that the contract names for the place, such as `date-time`. */
export function findFormatAt(path: Path): string | undefined {
  return schemasAt(path).find(({ format }) => format !== undefined)?.format
}

function schemasAt(path: Path): Schema[] {
  let schemas = alternatives(SCHEMAS.Property)
  for (const step of path) {
    schemas = schemas.flatMap((schema) =>
      alternatives(typeof step === 'number' ? schema.items : schema.properties?.[step]),
    )
  }
  return schemas
}

function alternatives(schema: Schema | undefined): Schema[] {
  if (schema === undefined) return []
  if (schema.$ref !== undefined) return alternatives(SCHEMAS[schema.$ref.split('/').at(-1)!])
  return schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap(alternatives)
}
