// `node tools/tidy/src/main.ts --figures`: the counts of ARCHITECTURE.md, with the place of each thing that is counted.

import { MODULES, SOURCE } from './modules.ts'
import { lineAt, type Source } from './source.ts'
import { codeOf, type Tree } from './tree.ts'

export interface Figure {
  readonly name: string
  /** One line for each thing that is counted. */
  readonly items: readonly string[]
}

/** Work that a process repeats: a timer of its own, or one that `interval` sets. The helper itself and the stop of a server are none. */
const TIMER = /(?<!function )\b(?:setInterval|interval)\(/g
const NO_TIMER = /\/platform\/interval\.ts$|\/close-server\.ts$/
/** All chores share this one. */
const CHORES = /\/platform\/chores\.ts$/

export function readFigures(tree: Tree): Figure[] {
  const service = tree.sources.filter(({ file }) => file.startsWith(SOURCE) && file.endsWith('.ts'))
  const all = (pattern: RegExp, sources = service, text: (source: Source) => string = codeOf) =>
    sources.flatMap((source) =>
      [...text(source).matchAll(pattern)].map(
        ({ index, 0: match, 1: name }) => `${name ?? match} ${source.file}:${lineAt(source.text, index)}`,
      ),
    )
  const raw = ({ text }: Source) => text
  return [
    { name: 'modules', items: Object.keys(MODULES) },
    {
      name: 'folders of modules',
      items: Object.entries(MODULES).flatMap(([module, folders]) =>
        folders.map((folder) => `${module}/${folder}`),
      ),
    },
    { name: 'names at root files', items: service.filter(({ file }) => isRootFile(file)).flatMap(namesAt) },
    {
      name: 'timers',
      items: [
        ...service.filter(({ file }) => CHORES.test(file)).map(({ file }) => `all chores ${file}`),
        ...all(
          TIMER,
          service.filter(({ file }) => !NO_TIMER.test(file) && !CHORES.test(file)),
        ),
      ],
    },
    { name: 'chores', items: all(/\bname: '([^']+)',\s*everyMs\b/g, service, raw) },
    { name: 'settings', items: service.flatMap(settingsIn) },
    { name: 'leases that keepLease renews', items: all(/(?<!function )\bkeepLease\(/g) },
    {
      name: 'kinds of budgets',
      items: [
        ...all(/\bkind: '(\w+)',?[^}]*\} as const satisfies Budget/g, service, raw),
        ...all(/\bKIND = '(\w+)'/g, service, raw),
        ...all(/charge_rate\('(\w+)'/g, service, raw),
      ],
    },
  ]
}

/** Whether the file is a root file of a module that others import. Nothing imports process/. */
function isRootFile(file: string): boolean {
  const [module, name, ...rest] = file.slice(SOURCE.length).split('/')
  return rest.length === 0 && name !== undefined && module !== 'process'
}

function namesAt({ file, text }: Source): string[] {
  return [
    ...text.matchAll(
      /^export (?:type )?\{([^}]*)\}|^export (\*) from|^export .*?(?:function|const|class|interface|type) (\w+)/gm,
    ),
  ].flatMap(([, names, star, own]) =>
    (names?.split(',') ?? [star ?? own!])
      .map((name) => name.trim().replace(/^type /, ''))
      .filter((name) => name !== '')
      .map((name) => `${name} ${file}`),
  )
}

function settingsIn({ file, text }: Source): string[] {
  return [...text.matchAll(/\b(?!REMOVED_)[A-Z_]*SETTINGS = \{\n([\s\S]*?)^\}/gm)].flatMap(([, body]) =>
    [...body!.matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => `${name} ${file}`),
  )
}
