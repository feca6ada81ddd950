import { Command } from 'commander'
import { type LoggedImport, readImports } from '../../../data/imports.ts'
import { sourceName, wholeNumber } from '../arguments.ts'
import { print, table } from '../print.ts'
import { withDatabase } from '../with-database.ts'

interface ImportsOptions {
  source?: string
  limit: number
}

export function importsCommand(): Command {
  return new Command('imports')
    .description('List the last imports, removals and runs of feeds that changed the data set, latest first.')
    .option('--source <name>', 'only imports with rows of this source', sourceName)
    .option('--limit <n>', 'maximum number of imports', wholeNumber(1, 10_000), 20)
    .addHelpText(
      'after',
      `
Examples:
  lotline listings imports
  lotline listings imports --source mls --limit 100 --json`,
    )
    .action(async ({ source, limit }: ImportsOptions, command: Command) => {
      const imports = await withDatabase((database) => readImports(database, { limit, source }))
      const lines = table(
        ['IMPORT', 'STARTED', 'KIND', 'STATE', 'SOURCES', 'ROWS'],
        imports.map((one) => [
          one.id,
          one.started_at,
          one.kind,
          one.state,
          one.sources.join(', '),
          countsOf(one),
        ]),
      )
      print(command, imports, imports.length > 0 ? lines : ['There are no imports.'])
    })
}

const SHOWN = ['read', 'inserted', 'updated', 'withdrawn', 'removed'] as const

function countsOf({ counts }: LoggedImport): string {
  return SHOWN.flatMap((name) => ((counts[name] ?? 0) > 0 ? [`${name} ${counts[name]}`] : [])).join(', ')
}
