// Imports between the modules of the service that their order does not allow, and files outside of every module.

import { importsOf } from './imports.ts'
import { type Modules, type Position, positionOf } from './modules.ts'
import type { Breach, Source } from './source.ts'

const TABLE = 'tools/tidy/src/modules.ts'
/** What a module offers, and nothing else: each name with the file that has it. */
const RE_EXPORT = /^export (?:type )?\{[^}]*\} from /m

/** @param files of the whole tree: each below apps/api/src is in a folder of a module, code or not */
export function findModuleBreaches(
  files: readonly string[],
  sources: readonly Source[],
  modules: Modules,
): Breach[] {
  return [
    ...files.flatMap((file) => judgePlace(file, modules)),
    ...sources.flatMap((source) => judgeImports(source, modules)),
    ...sources.filter(isRoot).flatMap((source) => judgeRoot(source, sources)),
  ]
}

function judgePlace(file: string, modules: Modules): Breach[] {
  const place = positionOf(file)
  if (!place || isKnown(place, modules)) return []
  return [{ file, line: 1, rule: `no module has the folder ${shown(place)}: add it to ${TABLE}` }]
}

function isKnown({ module, folder }: Position, modules: Modules): boolean {
  return Object.hasOwn(modules, module) && (folder === '' || modules[module]!.includes(folder))
}

function judgeImports(source: Source, modules: Modules): Breach[] {
  const { file } = source
  const from = positionOf(file)
  if (!from || !isKnown(from, modules)) return []
  return importsOf(source).flatMap(({ line, target }): Breach[] => {
    // The rules of packages judge imports of other packages. The manifest is part of each published package.
    if (target && /^apps\/api\/(?!src\/|package\.json$)/.test(target))
      return [
        { file, line, rule: `${shown(from)} does not import ${target}: the service is published as src/` },
      ]
    const to = target === undefined ? undefined : positionOf(target)
    const rule = to && judge(from, to, modules)
    return rule ? [{ file, line, rule }] : []
  })
}

function judge(from: Position, to: Position, modules: Modules): string | undefined {
  const names = Object.keys(modules)
  if (from.module !== to.module) {
    if (names.indexOf(to.module) > names.indexOf(from.module))
      return `${from.module}/ does not import ${to.module}/, which is above it`
    return to.folder === ''
      ? undefined
      : `${from.module}/ imports the root files of ${to.module}/: name it in ${to.module}/${to.folder}.ts`
  }
  // The files at the root connect its folders; nothing in a folder needs them.
  if (from.folder === '') return undefined
  if (to.folder === '') return `${shown(from)} does not import a root file of its own module`
  const folders = modules[from.module]!
  return folders.indexOf(to.folder) > folders.indexOf(from.folder)
    ? `${shown(from)} does not import ${shown(to)}, which comes after it in ${TABLE}`
    : undefined
}

/** A root file that offers a folder to the modules above. */
function isRoot({ file, text }: Source): boolean {
  return positionOf(file)?.folder === '' && RE_EXPORT.test(text)
}

/** What a module offers and no other one takes would hide what it really owes. */
function judgeRoot({ file, text }: Source, sources: readonly Source[]): Breach[] {
  const { module } = positionOf(file)!
  const importers = sources.filter(
    (source) =>
      positionOf(source.file)?.module !== module && importsOf(source).some(({ target }) => target === file),
  )
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\} from /gm)].flatMap(({ 1: names }) =>
    names!
      .split(',')
      .map((name) => name.replace(/\btype\b/, '').trim())
      .filter((name) => name !== '' && !importers.some((source) => hasWord(source.text, name)))
      .map((name) => ({ file, line: 1, rule: `no other module imports ${name}: do not offer it` })),
  )
}

function hasWord(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text)
}

function shown({ module, folder }: Position): string {
  return folder === '' ? `${module}/` : `${module}/${folder}/`
}
