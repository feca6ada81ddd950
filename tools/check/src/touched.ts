// Which tests a change needs at least (`pnpm test --touched`). Tests stand on the ports of their folder, so a change selects the tests of its
// folder; it selects those of other folders only if what the file exports has changed. CONTRIBUTING.md states the rule. `pnpm test` runs all.

import { basename, dirname } from 'node:path/posix'
import { folderOf, importsOf, isMigration, placeOf, testPlaceOf } from '@lotline/tidy'

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

/** With more tests than that, a folder has them selected file by file. */
const MAX_FOLDER_TESTS = 12
const IS_TEST = /\.test\.[cm]?ts$/
const IS_CODE = /\.[cm]?[jt]sx?$/
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
    else {
      const own = testsOfFile(file, tests, importers)
      add(own)
      if (own.length === 0) untested.push(file)
      if (!haveExportsChanged(tree, file)) continue
      for (const importer of directImporters(importers, file)) {
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
  if (all.length === 0) return testsOfUsers(file, tests, importers)
  if (all.length <= MAX_FOLDER_TESTS) return all
  const part = dirname(placeOf(file) ?? file)
  const ofPart = all.filter((test) => testPlaceOf(test)?.startsWith(`${part}/`) && part !== group)
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
  return about.size > 0 ? [...about] : all
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

/** The name that tests and sources have in common: the folder of the service, or the package. */
function groupOf(file: string): string | undefined {
  return folderOf(file) ?? testPlaceOf(file)?.split('/', 1)[0] ?? packageOf(file)
}

function packageOf(file: string): string | undefined {
  return /^(?:apps|packages|tools)\/[^/]+(?=\/)/.exec(file)?.[0]
}

type Importers = ReadonlyMap<string, readonly string[]>

function importersOf({ files, read }: ChangedTree): Importers {
  const importers = new Map<string, string[]>()
  for (const file of files.filter(
    (one) => IS_CODE.test(one) && packageOf(one) !== undefined && !one.includes('/generated/'),
  ))
    for (const { target } of importsOf({ file, text: read(file) }))
      if (target !== undefined) importers.set(target, [...(importers.get(target) ?? []), file])
  return importers
}

function directImporters(importers: Importers, file: string): readonly string[] {
  return importers.get(file) ?? []
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

function haveExportsChanged({ files, read, readBefore }: ChangedTree, file: string): boolean {
  const before = readBefore(file)
  return exportsOf(before ?? '') !== exportsOf(files.includes(file) ? read(file) : '')
}
