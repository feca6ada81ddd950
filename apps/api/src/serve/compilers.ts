// How input is judged: Ajv for JSON Schema 2020-12, which is what OpenAPI 3.1 is written in. Bodies are taken as they
// are; texts in paths and queries become the numbers and booleans that the contract says they are.

import { Ajv2020, type Options } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifySchema, FastifySchemaCompiler } from 'fastify'

// verbose: a finding carries the contract's node, which names the error code.
const SHARED: Options = {
  strict: false,
  verbose: true,
  useDefaults: true,
  removeAdditional: false,
  allErrors: false,
}

interface HeadersSchema {
  readonly properties?: Readonly<Record<string, object>>
  readonly required?: readonly string[]
}

export function createCompilers(): FastifySchemaCompiler<FastifySchema> {
  const bodies = withFormats(new Ajv2020({ ...SHARED, coerceTypes: false }))
  const texts = withFormats(new Ajv2020({ ...SHARED, coerceTypes: 'array' }))
  return ({ schema, httpPart }) => {
    if (httpPart === 'body') return bodies.compile(schema)
    return texts.compile(httpPart === 'headers' ? withLowerCaseNames(schema) : schema)
  }
}

/** Node gives the names of headers in lower case. */
function withLowerCaseNames(schema: FastifySchema): object {
  const { properties = {}, required = [], ...rest } = schema as HeadersSchema
  return {
    ...rest,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name.toLowerCase(), property]),
    ),
    required: required.map((name) => name.toLowerCase()),
  }
}

function withFormats(ajv: Ajv2020): Ajv2020 {
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  return ajv
}
