// The JSON types that the contract allows for a value, by its place in the record.

import { openapi } from '@lotline/contract'
import type { JsonType } from '@lotline/contract/checks'

export type JsonTypes = ReadonlySet<JsonType>

interface ContractSchema {
  readonly $ref?: string
  readonly format?: string
  readonly type?: JsonType | readonly JsonType[]
  readonly anyOf?: readonly ContractSchema[]
  readonly properties?: Readonly<Record<string, ContractSchema>>
  readonly items?: ContractSchema
}

const SCHEMAS = (openapi as unknown as { components: { schemas: Readonly<Record<string, ContractSchema>> } })
  .components.schemas

type ContractPath = readonly (string | number)[]

/** The path itself is the key: each path of a mapping is one array, which every record uses again. */
const known = new WeakMap<ContractPath, JsonTypes | null>()

/** A step is a field's name, or a number for any element of a list. undefined: the contract does not know the place. */
export function findTypesAt(path: ContractPath): JsonTypes | undefined {
  let types = known.get(path)
  if (types === undefined) {
    const found = new Set(schemasAt(path).flatMap(({ type }) => type ?? []))
    types = found.size === 0 ? null : found
    known.set(path, types)
  }
  return types ?? undefined
}

/** The format that the contract names for the place, such as `date-time`. */
export function findFormatAt(path: ContractPath): string | undefined {
  return schemasAt(path).find(({ format }) => format !== undefined)?.format
}

/** The names of the fields of a record. */
export function topFields(): readonly string[] {
  return alternatives(SCHEMAS.Property).flatMap(({ properties }) => Object.keys(properties ?? {}))
}

function schemasAt(path: ContractPath): ContractSchema[] {
  let schemas = alternatives(SCHEMAS.Property)
  for (const step of path) {
    schemas = schemas.flatMap((schema) =>
      alternatives(typeof step === 'number' ? schema.items : schema.properties?.[step]),
    )
  }
  return schemas
}

function alternatives(schema: ContractSchema | undefined): ContractSchema[] {
  if (schema === undefined) return []
  if (schema.$ref !== undefined) return alternatives(SCHEMAS[schema.$ref.split('/').at(-1)!])
  return schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap(alternatives)
}
