// Paths that a document for engineers names must be there: a reader follows the path, and a moved file leaves the old one behind.
// Documents for customers have tests of their own.

import { dirname, join, normalize } from 'node:path'
import { MODULES } from './modules.ts'
import { type Breach, lineAt } from './source.ts'
import type { Law, Tree } from './tree.ts'

const MARKDOWN = /(?:^|\/)(?:README|ARCHITECTURE|CONTRIBUTING|GLOSSARY|AGENTS)\.md$|^decisions\/.*\.md$/
/** Files that name paths of the repository and are no Markdown. */
const OTHER = /^apps\/api\/deploy\/|^\.vscode\/|^\.gitattributes$|(?:^|\/)(?:Dockerfile|compose\.ya?ml)$/

const LINK = /\]\(([^)\s]+)\)/g
/** From a folder of the root on, also behind the folder of an installation. A star and what follows it stands for any file. */
const FROM_ROOT =
  /(?<![\w.<>{}$@-])(?:\.?\/(?:[\w.-]+\/)*)?((?:apps|packages|tools|spec|decisions|\.vscode)\/[\w./-]*[\w-])/g
/** A file of the code by the end of its path. */
const CODE_FILE = /(?<![\w/:.<>{}$*-])(?:\.{1,2}\/)*(\w[\w./-]*\.(?:ts|mts|mjs|sql))\b/g
/** A folder or another file in a code span, such as `resilience/` or `dictionary.yaml`. */
const SPAN = /`(?:\.{1,2}\/)*([\w-]+(?:\/[\w.-]+)*(?:\/|\/[\w-]+\.(?:md|ya?ml|css|py)))`/g
/** A path relative to the folder of a script. */
const FROM_SCRIPT = /\/((?:\.\.\/)+[\w./-]+)/g

/** Folders that a command makes, and those of a data directory. */
const NOT_IN_GIT =
  /^(?:apps\/api\/node_modules|release|dist|build|coverage|node_modules|postgres|backups?)(?:\/|$)/
/** A name of the Model Context Protocol, a placeholder such as `apps/api/src/X`, and the list that the first release writes. */
const NO_PATH = /^tools\/call$|\/[A-Z]$|\/released-migrations\.sha256$/

function findMissingPaths(tree: Tree): Breach[] {
  const names = namesOf(tree.files)
  return tree.files.flatMap((file) => {
    const isMarkdown = MARKDOWN.test(file)
    if (!isMarkdown && !OTHER.test(file)) return []
    const text = tree.read(file)
    const missing = [
      ...(isMarkdown ? missingLinks(file, text, names) : []),
      ...missingIn(text, FROM_ROOT, (path) => names.all.has(path) || isBuilt(path) || NO_PATH.test(path)),
      ...(isMarkdown
        ? [
            ...missingIn(text, CODE_FILE, (path) => names.ends.has(path)),
            ...missingIn(
              text,
              SPAN,
              (path) => names.ends.has(path.replace(/\/$/, '')) || NOT_IN_GIT.test(path),
            ),
          ]
        : missingIn(text, FROM_SCRIPT, (path) => names.all.has(normalize(join(dirname(file), path))))),
    ]
    return missing.map(({ index, path }) => ({
      file,
      line: lineAt(text, index),
      rule: `${RULE}: ${path}`,
    }))
  })
}

interface Names {
  /** Files and folders from the root. */
  readonly all: ReadonlySet<string>
  /** The same, and the ends of their paths. */
  readonly ends: ReadonlySet<string>
}

function namesOf(files: readonly string[]): Names {
  const all = new Set<string>()
  const ends = new Set<string>()
  for (const file of files) {
    const steps = file.split('/')
    for (const at of steps.keys()) all.add(steps.slice(0, at + 1).join('/'))
  }
  // Folders of a module are there, also before their first file.
  for (const folder of Object.values(MODULES).flat()) ends.add(folder)
  for (const path of all) {
    const steps = path.split('/')
    for (const at of steps.keys()) ends.add(steps.slice(at).join('/'))
  }
  return { all, ends }
}

interface NamedPath {
  readonly index: number
  readonly path: string
}

function missingIn(text: string, pattern: RegExp, isThere: (path: string) => boolean): NamedPath[] {
  return [...text.matchAll(pattern)]
    .map(({ index, 1: path }) => ({ index, path: path! }))
    .filter(({ path }) => !isThere(path))
}

function missingLinks(file: string, text: string, { all }: Names): NamedPath[] {
  return missingIn(text, LINK, (target) => {
    if (/^(?:[a-z]+:|#|\/)/i.test(target)) return true
    const path = normalize(join(dirname(file), target.replace(/#.*$/, ''))).replace(/\/$/, '')
    return path === '.' || all.has(path)
  })
}

/** Files that a build writes beside those that git has. */
function isBuilt(path: string): boolean {
  return /\/(?:dist|node_modules)(?:\/|$)/.test(path)
}

const RULE = 'a document names what is there'

export const PATH_LAWS: readonly Law[] = [
  {
    rule: RULE,
    check: findMissingPaths,
    plants: [
      {
        what: 'a link to a file that is gone',
        file: 'tools/plant-link/README.md',
        text: '# Plant\n\nSee [the start](../bench/gone.md).\n',
      },
      {
        what: 'a file of the code that is gone',
        file: 'tools/plant-file/README.md',
        text: '# Plant\n\nBegin with `credits/gone-ledger.ts`.\n',
      },
      {
        what: 'a folder that is gone',
        file: 'tools/plant-folder/README.md',
        text: '# Plant\n\nThe folder `money/gone/` has it.\n',
      },
      {
        what: 'the old path of a file in a service unit',
        file: 'apps/api/deploy/plant.service',
        text: 'ExecStart=/usr/local/bin/node /opt/lotline/apps/api/src/gone/main.ts\n',
      },
      {
        what: 'the old path of a file in a script',
        file: 'apps/api/deploy/plant',
        text: 'exec node "$(dirname "$0")/../src/gone/main.ts"\n',
      },
    ],
  },
]
