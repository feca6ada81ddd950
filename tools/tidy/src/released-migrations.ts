// A released migration never changes: databases out there have run it. Their hashes are in a list beside the folder of the migrations,
// which `node tools/tidy/src/main.ts --release-migrations` writes. It only grows.

import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { Breach, Source } from './source.ts'
import type { Law, Tree } from './tree.ts'

const RULE = 'a released migration never changes'
const LIST = 'released-migrations.sha256'

/** Where the list is: in the folder that holds the folder of the migrations. */
export function listOf({ files, migrations }: Pick<Tree, 'files' | 'migrations'>): string | undefined {
  const beside = migrations[0]?.file.replace(/\/migrations\/[^/]+$/, `/${LIST}`)
  return beside ?? files.find((file) => basename(file) === LIST)
}

/** Returns lines in the format of sha256sum, in the order in which the migrations run. */
export function releaseLines(migrations: readonly Source[]): string {
  return migrations.map(({ file, text }) => `${hashOf(text)}  ${basename(file)}\n`).join('')
}

/** Listed migrations that were edited, renamed, or removed, and new ones that would run before a listed one. */
export function findEditedMigrations(tree: Tree): Breach[] {
  const list = listOf(tree)
  if (list === undefined || !tree.files.includes(list)) return []
  const released = new Map(
    tree
      .read(list)
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.startsWith('#'))
      .map((line) => line.trim().split(/\s+/))
      .map(([hash, name]) => [name!, hash!] as const),
  )
  const last = [...released.keys()].toSorted().at(-1)
  const present = new Set(tree.migrations.map(({ file }) => basename(file)))
  return [
    ...tree.migrations.flatMap(({ file, text }): Breach[] => {
      const hash = released.get(basename(file))
      if (hash === hashOf(text)) return []
      if (hash !== undefined) return [{ file, line: 1, rule: `${RULE}: add a file with a higher number` }]
      if (last === undefined || basename(file) > last) return []
      return [{ file, line: 1, rule: `${RULE}: its number is not above that of ${last}` }]
    }),
    ...[...released.keys()]
      .filter((name) => !present.has(name))
      .map((name) => ({ file: list, line: 1, rule: `${RULE}: ${name} is gone` })),
  ]
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const FOLDER = 'apps/api/src/infrastructure/database'

export const MIGRATION_LAWS: readonly Law[] = [
  {
    rule: RULE,
    check: findEditedMigrations,
    plants: [
      {
        what: 'an edited one',
        file: `${FOLDER}/migrations/9971_plant.sql`,
        text: '-- Edited.\n',
        with: { [`${FOLDER}/${LIST}`]: `${hashOf('')}  9971_plant.sql\n${hashOf('')}  9973_plant.sql\n` },
      },
      { what: 'one between others', file: `${FOLDER}/migrations/9972_plant.sql`, text: 'select 1;\n' },
      { what: 'a removed one', file: `${FOLDER}/${LIST}`, text: '' },
    ],
  },
]
