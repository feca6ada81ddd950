import type { PublishedPackage } from '../published.ts'

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly license?: string
  readonly description?: string
  readonly repository?: unknown
  readonly engines?: { readonly node?: string }
  readonly scripts?: Readonly<Record<string, string>>
  readonly [group: `${string}ependencies`]: Readonly<Record<string, string>> | undefined
}

/** Version prefixes that have a meaning only inside the workspace. */
const INSIDE = /^(workspace|catalog|link|file|portal):/
/** Scripts that npm runs on the machine of the user. */
const RUN_AT_INSTALL = ['preinstall', 'install', 'postinstall', 'prepare']
const GROUPS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const

/** Returns the faults of the package.json in the tarball. */
export function faultsOfManifest(manifest: Manifest, wanted: PublishedPackage): string[] {
  const faults: string[] = []
  if (manifest.name !== wanted.name) faults.push(`package.json names ${manifest.name}, not ${wanted.name}.`)
  if (manifest.private) faults.push('package.json is private.')
  for (const field of ['license', 'description', 'repository', 'engines'] as const) {
    if (!manifest[field]) faults.push(`package.json has no ${field}.`)
  }
  for (const script of RUN_AT_INSTALL) {
    if (manifest.scripts?.[script]) faults.push(`package.json runs something at installation: ${script}.`)
  }
  for (const group of GROUPS) {
    for (const [name, range] of Object.entries(manifest[group] ?? {})) {
      if (INSIDE.test(range))
        faults.push(`package.json has ${name} as ${range}, which only this workspace has.`)
    }
  }
  return faults
}
