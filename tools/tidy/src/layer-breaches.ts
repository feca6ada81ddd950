// The layers of apps/api/src: imports that they do not allow, files that no layer holds, and permissions that no import
// uses: an unused one would let the next import pass unnoticed.

import { importsOf } from './imports.ts'
import { type Layers, layerOf } from './layers.ts'
import type { Breach, Source } from './source.ts'

const TABLE = 'tools/tidy/src/layers.ts'

export function findLayerBreaches(sources: readonly Source[], layers: Layers): Breach[] {
  const breaches: Breach[] = []
  const used = new Set<string>()
  for (const source of sources) {
    const { file } = source
    const from = layerOf(file)
    if (from === undefined) continue
    if (!Object.hasOwn(layers, from)) {
      breaches.push({ file, line: 1, rule: `no layer is named ${from}: give it a place in ${TABLE}` })
      continue
    }
    for (const { line, target } of importsOf(source)) {
      const to = target === undefined ? undefined : layerOf(target)
      if (to === undefined || from === to) continue
      used.add(`${from} ${to}`)
      if (layers[from]!.includes(to)) continue
      breaches.push({ file, line, rule: `${from}/ does not import ${to}/` })
    }
  }
  return [...breaches, ...findTableBreaches(layers, used)]
}

/** Each layer is listed below those that it imports, so that the table itself shows that they form no circle. */
function findTableBreaches(layers: Layers, used: ReadonlySet<string>): Breach[] {
  const names = Object.keys(layers)
  return Object.entries(layers).flatMap(([from, permitted]) =>
    permitted.flatMap((to) => {
      const breaches: Breach[] = []
      const add = (rule: string) => breaches.push({ file: TABLE, line: 1, rule })
      if (!used.has(`${from} ${to}`)) add(`${from}/ imports nothing of ${to}/: remove the permission`)
      if (names.indexOf(to) > names.indexOf(from)) add(`${from}/ stands above ${to}/: list it below`)
      return breaches
    }),
  )
}
