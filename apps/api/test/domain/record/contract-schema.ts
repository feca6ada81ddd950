// Judges values by a schema of the contract, so that domain code is held to what the API promises.

import { openapi } from '@lotline/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ ...openapi, $id: 'contract' })

/** What is wrong with the value, by the schema of this name; an empty list when nothing is. */
export function faultsAs(schema: string, value: unknown): readonly string[] {
  const validate: ValidateFunction | undefined = ajv.getSchema(`contract#/components/schemas/${schema}`)
  if (!validate) throw new Error(`The contract has no schema ${schema}`)
  // As a client sees it.
  if (validate(JSON.parse(JSON.stringify(value)))) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
