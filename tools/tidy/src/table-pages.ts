// `node tools/tidy/src/table-pages.ts`, part of `pnpm generate`: writes TABLES.md of each module of the service, a picture of its tables,
// from the migrations and the list of owners. With --check nothing is written, and it fails when a page is not up to date.

import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMigration } from './folders.ts'
import { MODULES, pathOf, SOURCE } from './modules.ts'
import { readTables, type SchemaTable } from './schema-tables.ts'
import type { Source } from './source.ts'
import { TABLE_OWNERS } from './table-owners.ts'
import { trackedFiles } from './tracked-files.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

interface OwnedTable extends SchemaTable {
  readonly folder: string
}

/** The text of each page, by its path. Modules without tables have none. */
function tablePages(migrations: readonly Source[]): Map<string, string> {
  const tables = readTables(migrations)
  const pages = new Map<string, string>()
  for (const [module, folders] of Object.entries(MODULES)) {
    // Of two folders with one name, the lower one owns tables.
    const owners = folders.filter((folder) => pathOf(folder).startsWith(`${SOURCE}${module}/`))
    const owned = owners.flatMap((folder) =>
      (TABLE_OWNERS[folder] ?? []).flatMap((name): OwnedTable[] => {
        const table = tables.get(name)
        return table === undefined || table.isPartition ? [] : [{ ...table, folder }]
      }),
    )
    if (owned.length > 0) pages.set(`${SOURCE}${module}/TABLES.md`, pageOf(module, owned))
  }
  return pages
}

function pageOf(module: string, tables: readonly OwnedTable[]): string {
  return `# Tables of ${module}/

\`pnpm generate\` writes this page from the migrations (\`infrastructure/database/migrations\`), which have the reason of each column, and
from the list of owners (\`tools/tidy/src/table-owners.ts\`). Only the folder that owns a table writes it.

| table | owner | what it holds | migration |
| --- | --- | --- | --- |
${tables.map(rowOf).join('\n')}

\`\`\`mermaid
erDiagram
${tables.flatMap(referencesOf).join('\n')}${tables.some(({ references }) => references.length > 0) ? '\n' : ''}${tables.map(boxOf).join('\n')}
\`\`\`
`
}

function rowOf({ name, folder, about, file }: OwnedTable): string {
  return `| \`${name}\` | \`${folder}/\` | ${about.replaceAll('|', '\\|')} | \`${basename(file)}\` |`
}

function referencesOf({ name, references }: SchemaTable): string[] {
  return references.map((to) => `  ${to} ||--o{ ${name} : ""`)
}

function boxOf({ name, columns, keys }: SchemaTable): string {
  const lines = columns.map(({ name: column, type }) => {
    const key = keys.includes(column) ? ' PK' : ''
    return `    ${type.replaceAll(' ', '_')} ${column}${key}`
  })
  return `  ${name} {\n${lines.join('\n')}\n  }`
}

function main(isCheck: boolean): void {
  const migrations = trackedFiles(ROOT)
    .filter(isMigration)
    .sort()
    .map((file) => ({ file, text: readFileSync(`${ROOT}/${file}`, 'utf8') }))
  for (const [path, text] of tablePages(migrations)) {
    if (textAt(path) === text) continue
    if (isCheck) {
      console.error(`${path} is out of date. Run node tools/tidy/src/table-pages.ts`)
      process.exitCode = 1
    } else writeFileSync(`${ROOT}/${path}`, text)
  }
}

/** undefined: there is no such file. */
function textAt(path: string): string | undefined {
  try {
    return readFileSync(`${ROOT}/${path}`, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

if (import.meta.main) main(process.argv.includes('--check'))
