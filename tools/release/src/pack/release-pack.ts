// `pnpm release:pack`: everything that would be published, built, checked and put into release/, with checksums. What is
// there is either whole or what it was before. The same sources make the same bytes, and no registry is asked.

import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { PUBLISHED } from '@lotline/contract/publication'
import { type PublishedPackage, published } from '../published.ts'
import { ReleaseRefusal } from '../refused.ts'
import { type Contract, getReleasedContract, readContract } from '../spec/released-contract.ts'
import { faultsOfTarball } from './check-tarball.ts'
import { checksums } from './checksums.ts'
import { packPackage } from './pack-package.ts'
import { isPythonHere, packPython } from './pack-python.ts'
import { pendingChanges } from './pending-changes.ts'
import { setReadmes } from './readmes.ts'
import { BILLS, makeBom } from './sbom.ts'

/** @throws ReleaseRefusal with all that was found */
export async function releasePack(root: string, say: (line: string) => void): Promise<void> {
  const contract = await contractToPack(root, say)
  for (const file of await setReadmes(root)) say(`${file}: its commands follow PUBLISHED now; commit it`)
  const folder = await mkdtemp(join(root, 'node_modules/.release-'))
  try {
    const files = new Map<string, Uint8Array>([[`lotline-openapi-${contract.version}.json`, contract.bundle]])
    const faults: string[] = []
    for (const wanted of published) {
      say(`${wanted.name}: building, packing, checking`)
      const tarball = await packPackage(root, wanted.directory, folder)
      const bytes = new Uint8Array(await readFile(tarball))
      files.set(basename(tarball), bytes)
      faults.push(...(await faultsOfTarball(root, bytes, wanted)).map((fault) => faultOf(wanted, fault)))
    }
    if (isPythonHere()) {
      say('lotline (Python): building, packing, checking')
      for (const file of await packPython(root, folder))
        files.set(basename(file), new Uint8Array(await readFile(file)))
    } else say('SKIPPED: lotline (Python): python3 with venv is not installed')
    for (const bill of BILLS) {
      say(`${bill.name}: software bill of materials`)
      const bom = await makeBom(root, bill)
      const { group, name, version } = bom.metadata.component
      const file = `${group!.slice(1)}-${name}-${version}.cdx.json`
      files.set(file, new TextEncoder().encode(`${JSON.stringify(bom, null, 2)}\n`))
    }
    if (faults.length > 0) throw new ReleaseRefusal(faults.join('\n'))
    await replace(join(root, 'release'), folder, files)
    for (const [name, { length }] of files) say(`release/${name}  ${Math.ceil(length / 1024)} KiB`)
    say('release/SHA256SUMS')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * The contract that goes with the packages. Until the first publication, README.md has everybody pack the SDK, on any day, so
 * changes without a version are packed, and so is a contract that is not the baseline yet.
 *
 * @throws ReleaseRefusal for either of them, once there are published packages
 */
export async function contractToPack(
  root: string,
  say: (line: string) => void,
  isPublished = PUBLISHED,
): Promise<Contract> {
  const pending = await pendingChanges(root)
  if (pending.length > 0) {
    const found = `Changes wait for a version (${pending.join(', ')})`
    if (isPublished)
      throw new ReleaseRefusal(`${found}: run \`pnpm release:version\`, which makes one of them.`)
    say(`${found}. The packages have these changes and the number of the last version.`)
  }
  return isPublished ? getReleasedContract(root) : readContract(root)
}

function faultOf({ name }: PublishedPackage, fault: string): string {
  return `${name}: ${fault}`
}

async function replace(target: string, workFolder: string, files: ReadonlyMap<string, Uint8Array>) {
  const fresh = join(workFolder, 'release')
  await mkdir(fresh)
  for (const [name, bytes] of files) await writeFile(join(fresh, name), bytes)
  await writeFile(join(fresh, 'SHA256SUMS'), checksums(files))
  await rm(target, { recursive: true, force: true })
  await rename(fresh, target)
}
