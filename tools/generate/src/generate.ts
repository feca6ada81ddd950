import { bundleSpec } from './bundle.ts'
import { ContractError } from './faults.ts'
import { readMessages, writeMessages } from './messages.ts'
import { toOpenApi30 } from './openapi-3-0.ts'
import { readErrors } from './read-errors.ts'
import { readOperations } from './read-operations.ts'
import { writeErrors } from './write-errors.ts'
import { writeOperations } from './write-operations.ts'
import { loadTypesGenerator, writeTypes } from './write-types.ts'

/** File names and their whole text. */
export type GeneratedFiles = ReadonlyMap<string, string>

/**
 * Everything that is made out of the contract, in memory. The same contract gives the same bytes on every
 * machine: no path, time or locale enters. Rejects with a ContractError that lists what the contract lacks, or
 * with the bundler's report.
 */
export async function generate(specFile: string): Promise<GeneratedFiles> {
  const [document, typesGenerator] = await Promise.all([bundleSpec(specFile), loadTypesGenerator()])
  const faults: string[] = []
  const catalogue = readErrors(document, faults)
  const operations = readOperations(document, catalogue, faults)
  const openapi30 = toOpenApi30(document, faults)
  const messages = await readMessages(specFile, catalogue, faults)
  if (faults.length > 0) throw new ContractError(faults)
  return new Map([
    ['errors.ts', writeErrors(catalogue)],
    ...(messages ? ([['messages.ts', writeMessages(messages)]] as const) : []),
    ['openapi-3.0.json', `${JSON.stringify(openapi30, null, 2)}\n`],
    ['openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['operations.ts', writeOperations(operations)],
    ['types.ts', await writeTypes(typesGenerator, document)],
  ])
}
