// `pnpm release:spec`: makes the contract as it stands a release. Its bundle becomes the baseline of the schema diff, and
// what spec/CHANGELOG.md calls unreleased gets its version. From then on that version never changes.
//
// Until a first version is out, the newest bundle in spec/releases is a draft, which the first release replaces.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compareDocuments, readDocument } from '@lotline/schema-diff'
import { Refused } from '../refused.ts'
import { releasedVersions, withRelease } from './changelog.ts'
import { type Contract, readContract, refuseUnreleased } from './released-contract.ts'
import { compareVersions } from './version.ts'

const CHANGELOG = 'spec/CHANGELOG.md'

/**
 * @param day of the release, `YYYY-MM-DD`
 * @returns what was done, in a sentence
 * @throws Refused when it must not be released; nothing has changed then
 */
export async function releaseSpec(root: string, day: string): Promise<string> {
  await refuseUnreleased(root)
  const contract = await readContract(root)
  const { version } = contract
  const changelog = await readFile(join(root, CHANGELOG), 'utf8')
  const [last] = releasedVersions(changelog)
  const bundle = join(root, `spec/releases/${version}.json`)
  if (last === version) {
    const released = await readFile(bundle)
    if (released.equals(contract.bundle)) return `The contract ${version} is out as it stands: nothing to do.`
    throw new Refused(await higherVersionWanted(root, contract, bundle))
  }
  if (last !== undefined) await refuseStep(root, contract, last)
  const text = withRelease(changelog, version, day)
  await writeFile(bundle, contract.bundle)
  await writeFile(join(root, CHANGELOG), text)
  return `The contract ${version} is released: spec/releases/${version}.json is the baseline from now on. Commit it with ${CHANGELOG}.`
}

async function higherVersionWanted(root: string, { version }: Contract, bundle: string): Promise<string> {
  const { breaking, harmless } = await changesSince(root, bundle)
  const [major = 1, minor = 0, patch = 0] = version.split('.').map(Number)
  // What no rule of the comparison names is wording.
  const isMore = breaking.length + harmless.length > 0
  const next = isMore ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`
  return `The contract has changed since ${version} came out. Set info.version in spec/openapi.yaml to ${next}, and run \`pnpm generate\`.`
}

/** A step from one release to the next goes up, and breaks nobody. */
async function refuseStep(root: string, { version }: Contract, last: string): Promise<void> {
  if (compareVersions(version, last) < 0) {
    throw new Refused(`info.version in spec/openapi.yaml is ${version}, and ${last} is out already: go up.`)
  }
  const { breaking } = await changesSince(root, join(root, `spec/releases/${last}.json`))
  if (breaking.length === 0) return
  const lines = breaking.map(({ rule, location }) => `  ${rule}  ${location}`)
  throw new Refused(
    `The contract breaks who calls ${last}; \`pnpm schema-diff\` explains it:\n${lines.join('\n')}`,
  )
}

async function changesSince(root: string, bundle: string) {
  const base = await readDocument(bundle)
  return compareDocuments(
    base,
    await readDocument(join(root, 'packages/contract/src/generated/openapi.json')),
  )
}
