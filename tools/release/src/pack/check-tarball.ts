// Whether a tarball may be published: it holds exactly the files that it should, its package.json promises nothing that
// only holds inside the workspace, nothing names this machine, and publint and are-the-types-wrong find no fault.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import type { PublishedPackage } from '../published.ts'
import { faultsOfManifest, type Manifest } from './check-manifest.ts'

/** Faults in sentences; none: it may be published. `root` is the folder of the workspace. */
export async function faultsOfTarball(
  root: string,
  tarball: Uint8Array<ArrayBuffer>,
  wanted: PublishedPackage,
): Promise<string[]> {
  const files = filesOf(tarball)
  const manifest = JSON.parse(files.get('package.json') ?? '{}') as Manifest
  const license = await readFile(join(root, 'LICENSE'), 'utf8')
  return [
    ...faultsOfList([...files.keys()], wanted.files),
    ...faultsOfManifest(manifest, wanted),
    ...faultsOfTexts(files, manifest, license),
    ...pathsOfThisMachine(files, root),
    ...(await faultsFoundByPublint(tarball, manifest)),
    ...(wanted.isCommand ? [] : await faultsOfTypes(tarball)),
  ]
}

/** Reads the files of a tarball, by path from the root of the package. */
function filesOf(tarball: Uint8Array): Map<string, string> {
  const contents = createPackageFromTarballData(tarball)
  const prefix = `/node_modules/${contents.packageName}/`
  return new Map(
    contents.listFiles().map((path) => [path.slice(prefix.length), contents.readFile(path)] as const),
  )
}

function faultsOfList(found: readonly string[], wanted: readonly string[]): string[] {
  const missing = wanted.filter((file) => !found.includes(file))
  const unwanted = found.filter((file) => !wanted.includes(file))
  return [
    ...missing.map((file) => `${file} is missing.`),
    ...unwanted.map((file) => `${file} does not belong into it: leave it out, or add it to published.ts.`),
  ]
}

function faultsOfTexts(files: ReadonlyMap<string, string>, { name, version }: Manifest, license: string) {
  const faults: string[] = []
  if (files.has('LICENSE') && files.get('LICENSE') !== license) {
    faults.push('LICENSE is not that of the repository.')
  }
  if (files.has('README.md') && !files.get('README.md')?.startsWith(`# ${name}\n`)) {
    faults.push(`README.md does not begin with "# ${name}".`)
  }
  if (files.has('CHANGELOG.md') && !files.get('CHANGELOG.md')?.includes(`\n## ${version}\n`)) {
    faults.push(`CHANGELOG.md says nothing of ${version}.`)
  }
  return faults
}

function pathsOfThisMachine(files: ReadonlyMap<string, string>, root: string): string[] {
  return [...files]
    .filter(([, text]) => [root, 'node_modules/.pnpm/'].some((path) => text.includes(path)))
    .map(([file]) => `${file} names a path of this machine.`)
}

async function faultsFoundByPublint(tarball: Uint8Array<ArrayBuffer>, manifest: Manifest): Promise<string[]> {
  const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true })
  return messages.map((message) => `publint: ${formatMessage(message, { ...manifest }, { color: false })}`)
}

async function faultsOfTypes(tarball: Uint8Array): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(tarball))
  if (!result.types || !('problems' in result)) return ['It has no types.']
  return result.problems.map(
    (problem) =>
      `are-the-types-wrong: ${problem.kind}${'entrypoint' in problem ? ` at ${problem.entrypoint}` : ''}`,
  )
}
