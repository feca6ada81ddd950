// What crosses the border of a package: only its name does, only downwards, and only where its manifest names it. Packages
// are below the service, and tools above both. Manifests form no circle.

import { circlesOf } from './import-cycles.ts'
import { importsOf } from './imports.ts'
import type { Breach, Source } from './source.ts'

/** From the lowest to the highest. Each may import its own kind and those before it. */
const FOLDERS = ['packages', 'apps', 'tools'] as const

/** A package of the workspace. */
export interface Package {
  readonly name: string
  /** The path from the root, such as `apps/api`. */
  readonly folder: string
  /** Names of what it needs when it runs. */
  readonly dependencies: readonly string[]
  /** Names of what its build and its tests need. They may be tools. */
  readonly devDependencies: readonly string[]
}

export function findPackageBreaches(sources: readonly Source[], packages: readonly Package[]): Breach[] {
  return [
    ...sources.flatMap((source) => findImportBreaches(source, packages)),
    ...findManifestBreaches(packages),
  ]
}

/** The packages of the workspace, from their manifests. */
export function readPackages(files: readonly string[], read: (file: string) => string): Package[] {
  const manifests = files.filter((file) => /^(packages|apps|tools)\/[^/]+\/package\.json$/.test(file))
  return manifests.map((file) => {
    const manifest = JSON.parse(read(file)) as Record<string, Record<string, string>> & { name: string }
    const namesIn = (...fields: string[]) => fields.flatMap((field) => Object.keys(manifest[field] ?? {}))
    return {
      name: manifest.name,
      folder: file.slice(0, -'/package.json'.length),
      dependencies: namesIn('dependencies', 'peerDependencies', 'optionalDependencies'),
      devDependencies: namesIn('devDependencies'),
    }
  })
}

function findImportBreaches(source: Source, packages: readonly Package[]): Breach[] {
  const { file } = source
  const home = packageOf(file)
  if (home === undefined) return []
  const own = packages.find(({ folder }) => folder === home)
  return importsOf(source).flatMap(({ path, line, target }): Breach[] => {
    const breach = (rule: string) => [{ file, line, rule }]
    if (target !== undefined) {
      const other = packageOf(target)
      if (other === undefined || other === home) return []
      return breach(`${home} imports ${other} by a path: import it by its name`)
    }
    const name = /^@[^/]+\/[^/]+/.exec(path)?.[0]
    const other = packages.find((candidate) => candidate.name === name)
    if (other === undefined || other.folder === home) return []
    // Tests and builds may use tools.
    if (file.startsWith(`${home}/src/`) && heightOf(other.folder) > heightOf(home))
      return breach(`${home} does not import ${other.folder}, which is above it`)
    if (own && ![...own.dependencies, ...own.devDependencies].includes(other.name))
      return breach(`${home} imports ${other.name}, which its package.json does not name`)
    return []
  })
}

function findManifestBreaches(packages: readonly Package[]): Breach[] {
  const folderOf = new Map(packages.map(({ name, folder }) => [name, folder]))
  const graph = new Map(
    packages.map(({ folder, dependencies, devDependencies }) => [
      folder,
      [...dependencies, ...devDependencies].flatMap((name) => folderOf.get(name) ?? []),
    ]),
  )
  const circles = circlesOf(graph).map((circle): Breach => {
    const [first, ...others] = circle.toSorted()
    const rule = `depends in a circle on ${others.join(', ') || 'itself'}`
    return { file: `${first}/package.json`, line: 1, rule }
  })
  const upwards = packages.flatMap(({ folder, dependencies }) =>
    dependencies.flatMap((name): Breach[] => {
      const other = folderOf.get(name)
      if (other === undefined || heightOf(other) <= heightOf(folder)) return []
      return [
        {
          file: `${folder}/package.json`,
          line: 1,
          rule: `${folder} does not depend on ${other}, which is above it`,
        },
      ]
    }),
  )
  return [...circles, ...upwards]
}

function packageOf(path: string): string | undefined {
  return /^(?:packages|apps|tools)\/[^/]+/.exec(path)?.[0]
}

function heightOf(folder: string): number {
  return FOLDERS.findIndex((name) => folder.startsWith(`${name}/`))
}
