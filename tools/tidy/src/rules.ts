// The code rules. Layers first: imports point down, so that the domain can be read, tested and reused
// without HTTP. Then the few things that exist in one place only, and the habits that reviews would otherwise repeat.

import { findDroppedWords } from './dropped-words.ts'
import { findImportCycles } from './import-cycles.ts'
import { findLayerBreaches } from './layer-breaches.ts'
import { LAYERS, type Layers } from './layers.ts'
import { findMissingFiles } from './named-files.ts'
import { findPackageBreaches, readPackages } from './package-breaches.ts'
import { findUnpinned, PINNING_FILE } from './pinned.ts'
import { type Breach, lineAt, type Source } from './source.ts'

/** What customers, integrators, operators, and contributors read. */
const DOCUMENT = /(?:\.md|^spec\/.*\.yaml)$/
const SOURCE = /\.(?:[cm]?[jt]sx?|sql)$/
const MAX_LINES = 400
const EMPTY_NAMES = /(^|\/)(utils?|helpers?|common|misc|manager|service|impl)(\/|\.|-|$)/i
const MARKER = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`, 'g')

/** A pattern that may stand only in certain files. */
interface Reserved {
  /** Global; it may reach over lines. */
  readonly pattern: RegExp
  readonly within: RegExp
  readonly allowed: RegExp
  readonly rule: string
}

const RESERVED: readonly Reserved[] = [
  {
    pattern: /process\.env\b/g,
    within: /^(?:apps|packages)\/[^/]+\/src\//,
    // Of the packages, only programs read it, each variable by its name.
    allowed:
      /^apps\/api\/src\/config\/|^packages\/mock\/src\/command\/send\.ts$|^packages\/schema-diff\/src\/document\.ts$/,
    rule: 'only config.ts reads the environment',
  },
  {
    // What is booked, and the columns of accounts that are sums of it.
    pattern:
      /\b(insert\s+into|update|delete\s+from)\s+(movements|usage_rows|holds)\b|\bupdate\s+accounts\b((?!\bwhere\b)[^;`])*\b(balance|held|expiring|grant_left)\s*=/gi,
    within: /^apps\/api\/src\//,
    allowed: /^apps\/api\/src\/(credits\/|database\/migrations\/(0001|0002|0005|0006)_)/,
    rule: 'only the ledger moves credits',
  },
  {
    pattern: /['"`](?:fastify['"`]|@fastify\/)/g,
    within: /^apps\/api\/src\//,
    allowed: /^apps\/api\/src\/(http|manual)\//,
    rule: 'only http/ and manual/ know Fastify',
  },
  {
    pattern: /test-server\.ts|src\/http\/|['"`]fastify|\bfetch\(/g,
    within: /^apps\/api\/test\/(?:engine\/|setup\/test-engine\.ts$)/,
    allowed: /^$/,
    rule: 'tests of the engine need no HTTP: call admit and perform, or move the test to test/http',
  },
  {
    // A promise that is kept while it is under way, by itself or by a key. A set of running work is none: it deletes the promise.
    pattern:
      /\?\?=[^\n;]*(?:\n\s+\.[^\n;]*)*\.finally\(|const (\w+) = [^\n;=]*(?:\n\s+\.[^\n;]*)*\.finally\(\(\) => \w+\.delete\((?!\1\b)/g,
    within: /^apps\/api\/src\//,
    // It is stopped once, and never again.
    allowed: /^apps\/api\/src\/(?:platform\/single-flight|database\/embedded\/embedded-postgres)\.ts$/,
    rule: 'work that is done once for all who ask is a single-flight (platform/single-flight.ts)',
  },
  {
    // Otherwise the layers cannot judge it.
    pattern: /\b(?:import|require)\((?!\s*['"]|\s*`[^`$]*`)/g,
    within: /^apps\/api\/src\/.*\.[cm]?[jt]s$/,
    // The package of the platform's binaries.
    allowed: /^apps\/api\/src\/database\/embedded\/postgres-binaries\.ts$/,
    rule: 'an import names its file',
  },
  {
    pattern: /\b(it|test|describe)\.(only|skip|todo)\b/g,
    within: /\.test\.ts$/,
    allowed: /^$/,
    rule: 'no test is left out in silence',
  },
]

/** @param files of the whole tree, as paths from its root */
export function findBreaches(
  files: readonly string[],
  read: (file: string) => string,
  layers: Layers = LAYERS,
): Breach[] {
  const sources = files
    .filter((file) => SOURCE.test(file) && !file.includes('/generated/'))
    .map((file) => ({ file, text: read(file) }))
  const documents = files.filter((file) => DOCUMENT.test(file)).map((file) => ({ file, text: read(file) }))
  return [
    ...sources.flatMap(breachesOf),
    ...findLayerBreaches(files, sources, layers),
    ...findImportCycles(sources),
    ...findPackageBreaches(sources, readPackages(files, read)),
    ...findMissingFiles(sources, files),
    ...findUnpinned(
      files.filter((file) => PINNING_FILE.test(file)).map((file) => ({ file, text: read(file) })),
    ),
    ...findDroppedWords([...sources, ...documents]),
  ]
}

function breachesOf({ file, text }: Source): Breach[] {
  const breaches: Breach[] = []
  const add = (line: number, rule: string) => breaches.push({ file, line, rule })

  const lines = text.split('\n').length
  if (lines > MAX_LINES) add(lines, `a file has at most ${MAX_LINES} lines`)
  if (EMPTY_NAMES.test(file)) add(1, 'a name says what is inside, not that something is')
  for (const { pattern, within, allowed, rule } of RESERVED) {
    if (!within.test(file) || allowed.test(file)) continue
    for (const { index } of text.matchAll(pattern)) add(lineAt(text, index), rule)
  }
  for (const { index } of text.matchAll(MARKER)) add(lineAt(text, index), 'nothing is left for later')
  return breaches
}
