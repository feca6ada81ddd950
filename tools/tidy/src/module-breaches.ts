// The laws of modules: imports of the service that the order of modules.ts does not allow, files outside of every module, and root files that
// offer more than other modules import.

import { importsOf } from './imports.ts'
import { type Modules, type Position, pathOf, positionOf, SOURCE } from './modules.ts'
import { type Breach, lineAt } from './source.ts'
import type { Law, Plant, Tree } from './tree.ts'

const TABLE = 'tools/tidy/src/modules.ts'
const PLACE = `each file of the service is in a module, and in a folder that ${TABLE} lists`
const DOWNWARD = 'a module imports only modules below it'
const ROOT = 'a module imports only the root files of another one'
const OWN_ROOT = 'a folder imports no root file of its own module'
const ORDER = `a folder imports only those before it in ${TABLE}`
const OUTSIDE = 'the service is published as src/ and imports nothing beside it'
const OFFER = 'a root file offers only what other modules import'
const NAMED = 'a root file lists what it offers by name'

function findMisplaced({ files, modules }: Tree): Breach[] {
  return files.flatMap((file): Breach[] => {
    const place = positionOf(file)
    if (!place || isKnown(place, modules)) return []
    return [{ file, line: 1, rule: `${PLACE}: it lists no ${shown(place)}` }]
  })
}

function isKnown({ module, folder }: Position, modules: Modules): boolean {
  return Object.hasOwn(modules, module) && (folder === '' || modules[module]!.includes(folder))
}

/** Each import of a file of the service that has a place, with the reason why it is not allowed. */
function findForbiddenImports({ sources, modules }: Tree): Breach[] {
  return sources.flatMap((source) => {
    const { file } = source
    const from = positionOf(file)
    if (!from || !isKnown(from, modules)) return []
    return importsOf(source).flatMap(({ line, target }): Breach[] => {
      if (target === undefined) return []
      const to = positionOf(target)
      const rule = to ? judge(from, to, modules) : judgeOutside(from, target)
      return rule === undefined ? [] : [{ file, line, rule }]
    })
  })
}

/** The rules of packages judge imports of other packages. The manifest is part of each published package. */
function judgeOutside(from: Position, target: string): string | undefined {
  return /^apps\/api\/(?!package\.json$)/.test(target)
    ? `${OUTSIDE}: ${shown(from)} does not import ${target}`
    : undefined
}

function judge(from: Position, to: Position, modules: Modules): string | undefined {
  const names = Object.keys(modules)
  if (from.module !== to.module) {
    if (names.indexOf(to.module) > names.indexOf(from.module))
      return `${DOWNWARD}: ${from.module}/ does not import ${to.module}/`
    return to.folder === '' ? undefined : `${ROOT}: name it in ${to.module}/${to.folder}.ts`
  }
  // The files at the root connect its folders; nothing in a folder needs them.
  if (from.folder === '') return undefined
  if (to.folder === '') return `${OWN_ROOT}: ${shown(from)} does not import one`
  const folders = modules[from.module]!
  return folders.indexOf(to.folder) > folders.indexOf(from.folder)
    ? `${ORDER}: ${shown(from)} does not import ${shown(to)}`
    : undefined
}

/** A name that a root file offers and no other module takes hides what the module really owes. */
function findIdleOffers({ sources }: Tree): Breach[] {
  const roots = sources.filter(({ file }) => positionOf(file)?.folder === '')
  const users = sources.flatMap((source) => {
    const module = positionOf(source.file)?.module
    return module === undefined ? [] : importsOf(source).map((one) => ({ module, ...one }))
  })
  return roots.flatMap((source) => {
    const { file } = source
    const own = positionOf(file)!.module
    const taken = users.filter(({ module, target }) => module !== own && target === file)
    // An import of the whole file may use any of it.
    const isTaken = (name: string) =>
      taken.some(({ names }) => names === undefined || names.some((one) => one.name === name))
    return importsOf(source)
      .filter(({ isPassedOn, target }) => isPassedOn && target !== undefined)
      .flatMap(({ line, names = [] }) =>
        names
          .filter(({ as }) => !isTaken(as))
          .map(({ as }) => ({ file, line, rule: `${OFFER}: no other module imports ${as}` })),
      )
  })
}

/** `export *` offers names that the root file does not show. */
function findUnlistedOffers({ sources }: Tree): Breach[] {
  return sources
    .filter(({ file }) => positionOf(file)?.folder === '')
    .flatMap(({ file, text }) =>
      [...text.matchAll(/^export\s*\*/gm)].map(({ index }) => ({
        file,
        line: lineAt(text, index),
        rule: NAMED,
      })),
    )
}

function shown({ module, folder }: Position): string {
  return folder === '' ? `${module}/` : `${module}/${folder}/`
}

const importing = (rule: string) => (tree: Tree) =>
  findForbiddenImports(tree).filter((breach) => breach.rule.startsWith(rule))
const plant = (what: string, file: string, text: string): Plant => ({ what, file, text })
const inJobs = (name: string) => `${pathOf('jobs')}plant-${name}.ts`
/** Written in two parts, so that no import of this file is found in it. */
const source = (path: string) => `${'from'} '${path}'`

export const MODULE_LAWS: readonly Law[] = [
  {
    rule: PLACE,
    check: findMisplaced,
    plants: [
      plant('a module that is not listed', `${SOURCE}planted/plant-module.ts`, '// A file.'),
      plant('a folder that is not listed', `${SOURCE}work/planted/plant-folder.ts`, '// A file.'),
      plant('a file of data', `${SOURCE}work/planted/plant-data.json`, '{}'),
      plant('a file of no module', `${SOURCE}plant-loose.ts`, '// A file.'),
    ],
  },
  {
    rule: DOWNWARD,
    check: importing(DOWNWARD),
    plants: [
      plant('a folder above', inJobs('upward'), `import { b } ${source('../../interfaces/http/b.ts')}`),
      plant('a root file above', inJobs('upward-root'), `import { b } ${source('../../requests/engine.ts')}`),
      plant('a type', inJobs('upward-type'), `type B = ${'import'}('../../process/app.ts').App`),
      plant('an import when needed', inJobs('upward-when'), `await ${'import'}('../../interfaces/http.ts')`),
      plant(
        'a root file that offers it',
        `${SOURCE}domain/plant-upward.ts`,
        `export { b } ${source('../work/jobs/b.ts')}`,
      ),
    ],
  },
  {
    rule: ROOT,
    check: importing(ROOT),
    plants: [
      plant('a file of a folder', inJobs('deep'), `import { b } ${source('../../money/credits/ledger.ts')}`),
      plant(
        'an import at the root of a module',
        `${SOURCE}work/plant-deep.ts`,
        `import { b } ${source('../money/credits/ledger.ts')}`,
      ),
    ],
  },
  {
    rule: OWN_ROOT,
    check: importing(OWN_ROOT),
    plants: [
      plant('a root file', inJobs('own-root'), `import { b } ${source('../webhooks.ts')}`),
      plant('its own root file', inJobs('own-root-jobs'), `import type { B } ${source('../jobs.ts')}`),
    ],
  },
  {
    rule: ORDER,
    check: importing(ORDER),
    plants: [
      plant('a folder after it', inJobs('later'), `import { b } ${source('../webhooks/manage.ts')}`),
      plant(
        'a folder after it that offers a name',
        `${SOURCE}domain/record/plant-later.ts`,
        `export { b } ${source('../search/b.ts')}`,
      ),
    ],
  },
  {
    rule: OUTSIDE,
    check: importing(OUTSIDE),
    plants: [
      plant('a test', inJobs('tests'), `import { b } ${source('../../../test/setup/b.ts')}`),
      plant('a guide', inJobs('guides'), `import { b } ${source('../../../guides/b.ts')}`),
    ],
  },
  {
    rule: OFFER,
    check: findIdleOffers,
    plants: [
      plant('a name', `${SOURCE}work/plant-offer.ts`, `export { openOffer } ${source('./jobs/job.ts')}`),
      {
        ...plant(
          'a name that only its own module imports',
          `${SOURCE}work/plant-offer-own.ts`,
          `export { type OfferB, offerB } ${source('./jobs/job.ts')}`,
        ),
        with: {
          [`${SOURCE}work/plant-offer-user.ts`]: `import { offerB } ${source('./plant-offer-own.ts')}`,
        },
      },
      {
        ...plant(
          'one of two names',
          `${SOURCE}work/plant-offer-one.ts`,
          `export { usedOffer, b as idleOffer } ${source('./jobs/job.ts')}`,
        ),
        with: {
          [`${SOURCE}interfaces/plant-offer-user.ts`]: `${'//'} idleOffer\nimport { usedOffer } ${source('../work/plant-offer-one.ts')}`,
        },
      },
    ],
  },
  {
    rule: NAMED,
    check: findUnlistedOffers,
    plants: [
      plant('all of a file', `${SOURCE}work/plant-all.ts`, `export * ${source('./jobs/job.ts')}`),
      plant(
        'all under a name',
        `${SOURCE}work/plant-all-as.ts`,
        `export * as jobs ${source('./jobs/job.ts')}`,
      ),
    ],
  },
]
