// `pnpm release:spec`: makes the contract as it is now the baseline of the schema diff. Until the version is published it
// may be extended and set again, but only by a superset: what breaks a client of the baseline is refused, without
// exceptions. `pnpm release:spec --publish` records the day of publication; from then on the version never changes.

import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import {
  compareDocuments,
  findBase,
  readDocument,
  readPolicy,
  UsageError,
  type Verdict,
} from '@lotline/schema-diff'
import { ReleaseRefusal } from '../refused.ts'
import { publishedVersions, withBaseline, withPublication } from './changelog.ts'
import { type Contract, getReleasedContract, readContract } from './released-contract.ts'
import { compareVersions } from './version.ts'

const CHANGELOG = 'spec/CHANGELOG.md'

/**
 * Sets the baseline.
 * @param root the root of the repository
 * @returns what was done, in a sentence
 * @throws ReleaseRefusal when the contract must not become the baseline; nothing has changed then
 */
export async function releaseSpec(root: string): Promise<string> {
  const contract = await readContract(root)
  const { version } = contract
  const changelog = await readFile(join(root, CHANGELOG), 'utf8')
  const bundle = join(root, `spec/releases/${version}.json`)
  const baseline = await findBaseline(root)
  if (baseline !== undefined) {
    const same = baseline.version === version && (await readFile(bundle)).equals(contract.bundle)
    if (publishedVersions(changelog).includes(version)) {
      if (same) return `The contract ${version} is published as it is: nothing to do.`
      throw new ReleaseRefusal(await higherVersionWanted(root, contract, bundle))
    }
    await refuseStep(root, contract, baseline)
    if (same) return `The contract is the baseline ${version} already: nothing to do.`
  }
  const text = withBaseline(changelog, version)
  await writeFile(bundle, contract.bundle)
  await writeFile(join(root, CHANGELOG), text)
  return `spec/releases/${version}.json is the baseline from now on. Commit it with ${CHANGELOG}.`
}

/**
 * Records that the baseline is published.
 * @param day of the publication, `YYYY-MM-DD`
 * @returns what was done, in a sentence
 * @throws ReleaseRefusal when the contract is not the baseline, or is published already; nothing has changed then
 */
export async function publishSpec(root: string, day: string): Promise<string> {
  const { version } = await getReleasedContract(root)
  const changelog = await readFile(join(root, CHANGELOG), 'utf8')
  if (publishedVersions(changelog).includes(version))
    throw new ReleaseRefusal(`${version} is published already.`)
  await writeFile(join(root, CHANGELOG), withPublication(changelog, version, day))
  return `The contract ${version} is published and never changes again. Commit ${CHANGELOG}.`
}

interface Baseline {
  readonly version: string
  readonly bundle: string
}

/** The newest one; undefined before the first. */
async function findBaseline(root: string): Promise<Baseline | undefined> {
  const bundle = await findBase(join(root, 'spec/releases')).catch((error: unknown) => {
    if (error instanceof UsageError) return undefined
    throw error
  })
  return bundle === undefined ? undefined : { version: basename(bundle, '.json'), bundle }
}

async function higherVersionWanted(root: string, { version }: Contract, bundle: string): Promise<string> {
  const { breaking, harmless } = await changesSince(root, bundle)
  const [major = 1, minor = 0, patch = 0] = version.split('.').map(Number)
  // A change that no rule of the comparison names is one of wording.
  const isMore = breaking.length + harmless.length > 0
  const next = isMore ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`
  return `The contract has changed since ${version} was published. Set info.version in spec/openapi.yaml to ${next}, and run \`pnpm generate\`.`
}

/** From one baseline to the next the version does not go down, and nothing breaks. */
async function refuseStep(root: string, { version }: Contract, baseline: Baseline): Promise<void> {
  if (compareVersions(version, baseline.version) < 0) {
    throw new ReleaseRefusal(
      `info.version in spec/openapi.yaml is ${version}, but the baseline is ${baseline.version} already: use that version or a higher one.`,
    )
  }
  const { breaking } = await changesSince(root, baseline.bundle)
  if (breaking.length === 0) return
  const lines = breaking.map(({ rule, location }) => `  ${rule}  ${location}`)
  throw new ReleaseRefusal(
    `The contract breaks clients of the baseline ${baseline.version}; \`pnpm schema-diff\` explains it:\n${lines.join('\n')}`,
  )
}

async function changesSince(root: string, bundle: string): Promise<Verdict> {
  const head = await readDocument(join(root, 'packages/contract/src/generated/openapi.json'))
  const policy = await readPolicy(join(root, 'spec/compatibility.yaml'))
  return compareDocuments(await readDocument(bundle), head, policy)
}
