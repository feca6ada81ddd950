// Which tests a change needs at least (`pnpm test --touched`). Tests stand on the ports of their folder, so a change selects the tests of its
// folder; it selects those of other folders only if what the file exports has changed. CONTRIBUTING.md states the rule. `pnpm test` runs all.

import { basename, dirname } from 'node:path/posix'
import { type ImportedName, importsOf, isMigration, positionOf, SOURCE } from '@lotline/tidy'

/** The files of the tree, as they are and as they were. */
export interface ChangedTree {
  readonly files: readonly string[]
  /** Changed, added, or deleted, from the root. */
  readonly changed: readonly string[]
  read(file: string): string
  /** Undefined if the file was not there. */
  readBefore(file: string): string | undefined
}

export interface Selection {
  readonly tests: readonly string[]
  /** Folders with a package.json that hold a changed file or import what it exports. */
  readonly packages: readonly string[]
  /** Changes that can affect any test, or that no folder of tests is about: only the whole command proves them. */
  readonly unbounded: readonly string[]
}

/** In a folder with more tests than this, tests are selected file by file. */
const MAX_FOLDER_TESTS = 12
const IS_TEST = /\.test\.[cm]?ts$/
const IS_CODE = /\.[cm]?[jt]sx?$/
/** Packages that the tests of a folder of the service prove. */
const TESTED_ELSEWHERE = [
  ['apps/portal/src/console/', 'apps/api/test/interfaces/console/'],
  ['apps/portal/', 'apps/api/test/interfaces/portal/'],
] as const
const TESTS = 'apps/api/test/'
const UNBOUNDED =
  /^(?:pnpm-lock\.yaml|pnpm-workspace\.yaml|tsconfig\.base\.json|vitest\.config\.ts)$|(?:^|\/)(?:package\.json|vitest\.config\.ts)$/

export function selectTests(tree: ChangedTree): Selection {
  const tests = tree.files.filter((file) => IS_TEST.test(file))
  const importers = importersOf(tree)
  const selected = new Set<string>()
  const packages = new Set<string>()
  const untested: string[] = []
  const add = (files: readonly string[]) => files.forEach((file) => void selected.add(file))
  for (const file of tree.changed) {
    const own = packageOf(file)
    if (own !== undefined) packages.add(own)
    if (IS_TEST.test(file)) add(tests.filter((test) => test === file))
    else if (file.startsWith('spec/')) add(testsUnder(tests, 'apps/api/test/contract/', 'packages/contract/'))
    else if (isMigration(file))
      add(
        testsUnder(
          tests,
          'apps/api/test/infrastructure/database/',
          'apps/api/test/money/credits/rights.test.ts',
        ),
      )
    else if (own === undefined || !IS_CODE.test(file)) add(testsNaming(tree, tests, file))
    else if (!file.startsWith(`${own}/src/`))
      add(directImporters(importers, file).filter((one) => IS_TEST.test(one)))
    else if (!isOnlyRoot(tree, file)) {
      const own = testsOfFile(file, tests, importers)
      add(own)
      if (own.length === 0) untested.push(file)
      const changed = changedExports(tree, file)
      if (changed === undefined) continue
      const users = directImporters(importers, file, changed === 'all' ? undefined : changed)
      for (const importer of users) {
        if (IS_TEST.test(importer)) add([importer])
        else if (/^[^/]+\/[^/]+\/src\//.test(importer) && groupOf(importer) !== groupOf(file))
          add(testsAbout(importer, tests, importers))
        const other = packageOf(importer)
        if (other !== undefined) packages.add(other)
      }
    }
  }
  return {
    tests: [...selected].toSorted(),
    packages: [...packages].filter((folder) => tree.files.includes(`${folder}/package.json`)).toSorted(),
    unbounded: [...tree.changed.filter((file) => UNBOUNDED.test(file)), ...untested],
  }
}

/** Tests of the folder or package of a file. Of a folder with many, those of its part of the folder and those that are about the file. */
function testsOfFile(file: string, tests: readonly string[], importers: Importers): string[] {
  const group = groupOf(file)
  const all = tests.filter((test) => groupOf(test) === group)
  if (all.length === 0) {
    const [, place] = TESTED_ELSEWHERE.find(([sources]) => file.startsWith(sources)) ?? []
    return place === undefined ? testsOfUsers(file, tests, importers) : testsUnder(tests, place)
  }
  if (all.length <= MAX_FOLDER_TESTS) return all
  const part = dirname(inService(file))
  const ofPart = all.filter((test) => inService(test).startsWith(`${part}/`) && part !== group)
  const about = new Set([...ofPart, ...testsAbout(file, all, importers)])
  // The files that use it, in its own folder, up to those that a test imports.
  const seen = new Set([file])
  for (let edge = [file]; edge.length > 0 && about.size === 0; ) {
    edge = edge.flatMap((one) =>
      directImporters(importers, one).filter((user) => groupOf(user) === group && !seen.has(user)),
    )
    for (const user of edge) {
      seen.add(user)
      for (const test of testsAbout(user, all, importers)) about.add(test)
    }
  }
  if (about.size > 0) return [...about]
  const named = all.filter((test) => wordsOf(test).some((word) => wordsOf(file).includes(word)))
  if (named.length > 0) return named
  const ofUsers = testsOfUsers(file, tests, importers)
  return ofUsers.length > 0 && ofUsers.length < all.length ? ofUsers : all
}

/** The words of a file's name, which the tests of what it does have in common with it. */
function wordsOf(file: string): string[] {
  return basename(file)
    .replace(/\..*$/, '')
    .split('-')
    .filter((word) => word.length > 3)
    .map((word) => word.replace(/s$/, ''))
}

/** Of a folder without tests: the nearest tests that reach the file by imports, without those that use the composition. */
function testsOfUsers(file: string, tests: readonly string[], importers: Importers): string[] {
  const seen = new Set([file])
  const found = new Set<string>()
  for (let edge = [file]; edge.length > 0 && found.size === 0; ) {
    edge = edge.flatMap((one) => directImporters(importers, one).filter((user) => !seen.has(user)))
    for (const user of edge) {
      seen.add(user)
      for (const test of IS_TEST.test(user) ? [user] : testsAbout(user, tests, new Map())) found.add(test)
    }
  }
  return [...found]
}

/** Tests that import a file, and tests that have its name. */
function testsAbout(file: string, tests: readonly string[], importers: Importers): string[] {
  const name = basename(file).replace(/\.[^.]+$/, '')
  const users = new Set(directImporters(importers, file))
  return tests.filter(
    (test) => users.has(test) || (groupOf(test) === groupOf(file) && basename(test).startsWith(`${name}.`)),
  )
}

/** The name that tests and sources have in common: the module of the service with its folder, or the package. */
function groupOf(file: string): string | undefined {
  const position = positionOf(file.replace(TESTS, SOURCE))
  if (position === undefined) return packageOf(file)
  return position.folder === '' ? position.module : `${position.module}/${position.folder}`
}

/** The path of a source or of a test from its module on; any other file as it is. */
function inService(file: string): string {
  return file.replace(SOURCE, '').replace(TESTS, '')
}

function packageOf(file: string): string | undefined {
  return /^(?:apps|packages|tools)\/[^/]+(?=\/)/.exec(file)?.[0]
}

/** A use of a file by another one. */
interface FileUse {
  readonly by: string
  /** undefined: it may use all. */
  readonly name: string | undefined
}
type Importers = ReadonlyMap<string, readonly FileUse[]>

/**
 * The uses of each file. A root file that passes a name on uses nothing: the uses are of the file that declares the name, by those that
 * import it from the root file.
 */
function importersOf({ files, read }: ChangedTree): Importers {
  const imports = new Map(
    files
      .filter((file) => IS_CODE.test(file) && packageOf(file) !== undefined && !file.includes('/generated/'))
      .map((file) => [file, importsOf({ file, text: read(file) })] as const),
  )
  const importers = new Map<string, FileUse[]>()
  const add = (target: string, by: string, names: readonly ImportedName[] | undefined) => {
    const passedOn = (imports.get(target) ?? []).filter(({ isPassedOn }) => isPassedOn)
    const isWhole = (one: (typeof passedOn)[number]) => one.names === undefined
    for (const name of names ?? [undefined]) {
      const origins = passedOn.flatMap(({ target: origin, names: offered }) => {
        if (origin === undefined) return []
        const found = offered?.filter(({ as }) => name === undefined || as === name.name)
        return found === undefined || found.length > 0 ? [{ origin, found }] : []
      })
      for (const { origin, found } of origins)
        if (origin !== target) add(origin, by, found === undefined ? name && [name] : found)
      if (name !== undefined && origins.length > 0 && !passedOn.some(isWhole)) continue
      importers.set(target, [...(importers.get(target) ?? []), { by, name: name?.name }])
    }
  }
  for (const [by, all] of imports)
    for (const { target, names, isPassedOn } of all)
      if (target !== undefined && !isPassedOn) add(target, by, names)
  return importers
}

/** @param names those that count; undefined: all */
function directImporters(importers: Importers, file: string, names?: ReadonlySet<string>): readonly string[] {
  const uses = importers.get(file) ?? []
  const counted = uses.filter(({ name }) => names === undefined || name === undefined || names.has(name))
  return [...new Set(counted.map(({ by }) => by))]
}

/** A file that only passes names on: the tests of the files that declare or import them prove them, and the compiler does. */
function isOnlyRoot({ files, read }: ChangedTree, file: string): boolean {
  if (positionOf(file)?.folder !== '' || !files.includes(file)) return false
  const code = read(file).replace(/^\s*\/\/.*$|\/\*[\s\S]*?\*\//gm, '')
  return code.replace(/^export (?:type )?\{[^}]*\} from '[^']*'$/gm, '').trim() === ''
}

function testsUnder(tests: readonly string[], ...places: readonly string[]): string[] {
  return tests.filter((test) => places.some((place) => test.startsWith(place)))
}

/** A document, a page, or a sample: tests that name it. */
function testsNaming({ read }: ChangedTree, tests: readonly string[], file: string): string[] {
  const name = basename(file)
  return name.length < 6 || name === 'README.md' ? [] : tests.filter((test) => read(test).includes(name))
}

/** Declarations that other files see. Comments, bodies, and the order do not count. */
export function exportsOf(text: string): string {
  const code = text.replace(/^\s*\/\/.*$|\/\*[\s\S]*?\*\//gm, '')
  const declared = [
    ...code.matchAll(
      /^export (?:(?:type|interface|enum)\b[\s\S]*?^\}|[^\n]*\b(?:function|class|const)\b[^\n]*(?:\n {2}[^\n]*)*?(?=[{=\n])|[^\n]*)/gm,
    ),
  ]
  return declared
    .map(([head]) => head.replace(/\s+/g, ' ').trim())
    .toSorted()
    .join('\n')
}

/** The names whose declarations differ. undefined: none. 'all': a declaration without a name differs. */
function changedExports(
  { files, read, readBefore }: ChangedTree,
  file: string,
): ReadonlySet<string> | 'all' | undefined {
  const declarations = (text: string) => new Set(exportsOf(text).split('\n'))
  const before = declarations(readBefore(file) ?? '')
  const after = declarations(files.includes(file) ? read(file) : '')
  const changed = [...before, ...after].filter(
    (line) => line !== '' && !(before.has(line) && after.has(line)),
  )
  if (changed.length === 0) return undefined
  const names = changed.map((line) => DECLARED.exec(line)?.[1])
  return names.includes(undefined) ? 'all' : new Set(names as string[])
}
const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:type|interface|enum|function\*?|class|const|let) ([\w$]+)/
