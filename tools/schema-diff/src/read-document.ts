import { type Contract, toContract } from './contract.ts'
import { readJsonOrYaml } from './read-file.ts'

/**
 * Reads a bundled OpenAPI 3.1 document, JSON or YAML.
 * @param name what reports call it; the file's own path unless told
 * @throws UsageError naming the file, when it is absent, unparseable or no OpenAPI 3.1 document
 */
export async function readDocument(file: string, name: string = file): Promise<Contract> {
  return toContract(name, await readJsonOrYaml(file, name))
}
