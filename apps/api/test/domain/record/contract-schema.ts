// Validates values with a schema of the contract, to check that domain code keeps the promises of the API.

import { openapi } from '@lotline/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ ...openapi, $id: 'contract' })

/** The faults of a value by the schema of this name. Empty: it is valid. */
export function faultsAs(schema: string, value: unknown): readonly string[] {
  const validate: ValidateFunction | undefined = ajv.getSchema(`contract#/components/schemas/${schema}`)
  if (!validate) throw new Error(`The contract has no schema ${schema}`)
  // In the form that a client receives.
  if (validate(JSON.parse(JSON.stringify(value)))) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
