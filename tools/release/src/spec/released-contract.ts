import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ReleaseRefusal } from '../refused.ts'

export interface Contract {
  readonly version: string
  /** The bundled document, JSON. */
  readonly bundle: Buffer
}

/** The contract as it stands in the tree. `pnpm generate --check` holds the bundle to `spec/`. */
export async function readContract(root: string): Promise<Contract> {
  const bundle = await readFile(join(root, 'packages/contract/src/generated/openapi.json'))
  const { info } = JSON.parse(bundle.toString('utf8')) as { info: { version: string } }
  return { version: info.version, bundle }
}

/**
 * The contract, if it is the baseline: so no SDK or mock is published of something that may still be withdrawn.
 *
 * @throws ReleaseRefusal when it is not
 */
export async function getReleasedContract(root: string): Promise<Contract> {
  const contract = await readContract(root)
  const released = await readFile(join(root, `spec/releases/${contract.version}.json`)).catch(() => undefined)
  if (released?.equals(contract.bundle)) return contract
  throw new ReleaseRefusal(
    `The contract is not the baseline ${contract.version}: run \`pnpm release:spec\` first, which says what is missing.`,
  )
}
