// What crosses the border of a package: only its name does, and only downwards. Packages are below the service, and
// tools above both.

import { importsOf } from './imports.ts'
import type { Breach, Source } from './source.ts'

/** From the lowest to the highest. Each may import its own kind and those before it. */
const FOLDERS = ['packages', 'apps', 'tools'] as const

/** @param packages the folder of each package of the workspace by its name: `@lotline/api` → `apps/api` */
export function findPackageBreaches(
  sources: readonly Source[],
  packages: ReadonlyMap<string, string>,
): Breach[] {
  return sources.flatMap((source) => {
    const { file } = source
    const home = packageOf(file)
    if (home === undefined) return []
    return importsOf(source).flatMap(({ path, line, target }): Breach[] => {
      if (target !== undefined) {
        const other = packageOf(target)
        if (other === undefined || other === home) return []
        return [{ file, line, rule: `${home} imports ${other} by a path: import it by its name` }]
      }
      const name = /^@[^/]+\/[^/]+/.exec(path)?.[0]
      const other = name === undefined ? undefined : packages.get(name)
      // Tests may use tools.
      if (other === undefined || !file.startsWith(`${home}/src/`)) return []
      if (heightOf(other) <= heightOf(home)) return []
      return [{ file, line, rule: `${home} does not import ${other}, which stands above it` }]
    })
  })
}

function packageOf(path: string): string | undefined {
  return /^(?:packages|apps|tools)\/[^/]+/.exec(path)?.[0]
}

function heightOf(folder: string): number {
  return FOLDERS.findIndex((name) => folder.startsWith(`${name}/`))
}
