// The rules of the house as code. Layers first: imports point down, so that the domain can be read, tested and reused
// without HTTP. Then the few things that exist in one place only, and the habits that reviews would else repeat.

import { LAYERS, layerOf } from './layers.ts'

export interface Breach {
  readonly file: string
  readonly line: number
  readonly rule: string
}

const SOURCE = /\.(ts|mts|mjs)$/
const MOST_LINES = 400
const EMPTY_NAMES = /(^|\/)(utils?|helpers?|common|misc|manager|service|impl)(\/|\.|-|$)/i
const MARKERS = ['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX']

/** A pattern that may stand only in certain files. */
interface Reserved {
  readonly pattern: RegExp
  readonly within: RegExp
  readonly allowed: RegExp
  readonly rule: string
}

const RESERVED: readonly Reserved[] = [
  {
    pattern: /process\.env\b/,
    within: /^apps\/api\/src\//,
    allowed: /^apps\/api\/src\/config(\.ts|\/)/,
    rule: 'only config.ts reads the environment',
  },
  {
    pattern: /insert into (movements|usage_rows)\b/i,
    within: /^apps\/api\/src\//,
    allowed: /^apps\/api\/src\/(credits\/|database\/migrations\/)/,
    rule: 'only the ledger moves credits',
  },
  {
    pattern: /from 'fastify'|from '@fastify\//,
    within: /^apps\/api\/src\//,
    allowed: /^apps\/api\/src\/(request|serve)\//,
    rule: 'only request/ and serve/ know Fastify',
  },
  {
    pattern: /\b(it|test|describe)\.(only|skip|todo)\b/,
    within: /\.test\.ts$/,
    allowed: /^$/,
    rule: 'no test is left out in silence',
  },
]

export function findBreaches(files: readonly string[], read: (file: string) => string): Breach[] {
  return files
    .filter((file) => SOURCE.test(file) && !file.includes('/generated/'))
    .flatMap((file) => breachesOf(file, read(file)))
}

function breachesOf(file: string, text: string): Breach[] {
  const breaches: Breach[] = []
  const lines = text.split('\n')
  const add = (line: number, rule: string) => breaches.push({ file, line, rule })

  if (lines.length > MOST_LINES) add(lines.length, `a file has at most ${MOST_LINES} lines`)
  if (EMPTY_NAMES.test(file)) add(1, 'a name says what is inside, not that something is')

  for (const [index, line] of lines.entries()) {
    for (const { pattern, within, allowed, rule } of RESERVED) {
      if (within.test(file) && !allowed.test(file) && pattern.test(line)) add(index + 1, rule)
    }
    if (MARKERS.some((marker) => new RegExp(`\\b${marker}\\b`).test(line)))
      add(index + 1, 'nothing is left for later')
    const rule = layerBreach(file, line)
    if (rule) add(index + 1, rule)
  }
  return breaches
}

function layerBreach(file: string, line: string): string | undefined {
  const imported = /(?:from|import) '(\.{1,2}\/[^']+)'/.exec(line)?.[1]
  if (!imported) return undefined
  const from = layerOf(file)
  const to = layerOf(new URL(imported, `file:///${file}`).pathname.slice(1))
  if (!from || !to || from === to) return undefined
  return LAYERS[from]!.includes(to) ? undefined : `${from}/ does not import ${to}/`
}
