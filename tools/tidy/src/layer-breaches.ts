// The layers of apps/api/src: imports that they do not allow, files that no layer holds, and permissions that no import
// uses: an unused one would let the next import pass unnoticed.

import { importsOf } from './imports.ts'
import { type Layers, layerOf } from './layers.ts'
import type { Breach, Source } from './source.ts'

const TABLE = 'tools/tidy/src/layers.ts'

/** @param files of the whole tree: each below apps/api/src belongs to a layer, code or not */
export function findLayerBreaches(
  files: readonly string[],
  sources: readonly Source[],
  layers: Layers,
): Breach[] {
  const homeless = files.flatMap((file): Breach[] => {
    const layer = layerOf(file)
    if (layer === undefined || Object.hasOwn(layers, layer)) return []
    return [{ file, line: 1, rule: `no layer is named ${layer}: give it a place in ${TABLE}` }]
  })
  const used = new Set<string>()
  const forbidden = sources.flatMap((source): Breach[] => {
    const { file } = source
    const from = layerOf(file)
    if (from === undefined || !Object.hasOwn(layers, from)) return []
    return importsOf(source).flatMap(({ line, target }) => {
      // The rules of packages judge imports of other packages. The manifest is part of each published package.
      if (target && /^apps\/api\/(?!src\/|package\.json$)/.test(target))
        return [
          { file, line, rule: `${shown(from)} does not import ${target}: the service is published as src/` },
        ]
      const to = target === undefined ? undefined : layerOf(target)
      if (to === undefined || from === to) return []
      used.add(`${from} ${to}`)
      if (layers[from]!.includes(to)) return []
      return [{ file, line, rule: `${shown(from)} does not import ${shown(to)}` }]
    })
  })
  return [...homeless, ...forbidden, ...findTableBreaches(layers, used)]
}

function shown(layer: string): string {
  return layer.includes('.') ? layer : `${layer}/`
}

/** Each layer is listed below those that it imports, so that the table itself shows that they form no circle. */
function findTableBreaches(layers: Layers, used: ReadonlySet<string>): Breach[] {
  const names = Object.keys(layers)
  return Object.entries(layers).flatMap(([from, permitted]) =>
    permitted.flatMap((to) => {
      const breaches: Breach[] = []
      const add = (rule: string) => breaches.push({ file: TABLE, line: 1, rule })
      if (!used.has(`${from} ${to}`))
        add(`${shown(from)} imports nothing of ${shown(to)}: remove the permission`)
      if (names.indexOf(to) > names.indexOf(from)) add(`${shown(from)} is above ${shown(to)}: list it below`)
      return breaches
    }),
  )
}
