// Imports that the layers do not allow, and permissions that no import uses: an idle one would let the next import pass
// without a word.

import { type Layers, layerOf } from './layers.ts'
import { type Breach, lineAt, type Source } from './source.ts'

const TABLE = 'tools/tidy/src/layers.ts'

/** Of other files, by path: with names, bare, or as a call; the path may stand on a line of its own. */
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g

export function findLayerBreaches(sources: readonly Source[], layers: Layers): Breach[] {
  const breaches: Breach[] = []
  const used = new Set<string>()
  for (const { file, text } of sources) {
    const from = layerOf(file, layers)
    if (from === undefined) continue
    for (const found of text.matchAll(IMPORT)) {
      const to = layerOf(new URL(found[1]!, `file:///${file}`).pathname.slice(1), layers)
      if (to === undefined || from === to) continue
      used.add(`${from} ${to}`)
      if (layers[from]!.includes(to)) continue
      breaches.push({ file, line: lineAt(text, found.index), rule: `${from}/ does not import ${to}/` })
    }
  }
  for (const [from, permitted] of Object.entries(layers)) {
    for (const to of permitted) {
      if (used.has(`${from} ${to}`)) continue
      breaches.push({
        file: TABLE,
        line: 1,
        rule: `${from}/ imports nothing of ${to}/: take the permission back`,
      })
    }
  }
  return breaches
}
