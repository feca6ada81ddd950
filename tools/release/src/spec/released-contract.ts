import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readAllowList } from '@lotline/schema-diff'
import { Refused } from '../refused.ts'

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

/** @throws Refused when breaking changes stand on the list of those that are meant */
export async function refuseUnreleased(root: string): Promise<void> {
  const entries = await readAllowList(join(root, 'spec/releases/unreleased.yaml'))
  if (entries.length === 0) return
  const lines = entries.map(({ rule, location }) => `  ${rule}  ${location}`)
  throw new Refused(
    'spec/releases/unreleased.yaml must be empty at a release: under /v1 nothing may break. Undo these changes, or,' +
      ` before the first release, take them off the list, as the release then begins with them:\n${lines.join('\n')}`,
  )
}

/**
 * The contract, which is that of its release: so nobody gets an SDK or a mock of something that may still change.
 *
 * @throws Refused when it is not
 */
export async function getReleasedContract(root: string): Promise<Contract> {
  await refuseUnreleased(root)
  const contract = await readContract(root)
  const released = await readFile(join(root, `spec/releases/${contract.version}.json`)).catch(() => undefined)
  if (released?.equals(contract.bundle)) return contract
  throw new Refused(
    `The contract is not that of the release ${contract.version}: run \`pnpm release:spec\` first, which says what is missing.`,
  )
}
