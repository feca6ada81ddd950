import { Command } from 'commander'
import { type Removal, type RemovalReport, readZpids, removeListings } from '../../../data/ingest.ts'
import { listSources, SAMPLE_SOURCE } from '../../../data/listings.ts'
import type { Database } from '../../../infrastructure/database.ts'
import { recordAction } from '../../../money/operator.ts'
import { operatorOf, operatorOption, sourceName, zpid } from '../arguments.ts'
import { CommandFailure, facts, print } from '../print.ts'
import { withDatabase } from '../with-database.ts'

interface RemoveCommandOptions {
  file?: string
  source?: string
  sample?: boolean
  dryRun?: boolean
}

export function removeCommand(): Command {
  return new Command('remove')
    .description(
      'Remove listings from the data set. Within a second, running servers return 404 for them, also if they were ' +
        'cached. Rows of finished jobs stay.',
    )
    .argument('[zpid...]', 'homes to remove', (text: string, before: string[] = []) => [
      ...before,
      zpid(text),
    ])
    .option('--file <file>', 'remove the homes of a file: one zpid per line, or NDJSON records')
    .option('--source <name>', 'remove all listings of a source', sourceName)
    .option('--sample', 'remove the sample listings')
    .option('--dry-run', 'report what would happen, and write nothing')
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
To bring removed listings back, import them again. The sample cannot be brought back into this data set.

Examples:
  lotline listings remove 48749425 48690455
  lotline listings remove --source redfin --dry-run
  lotline listings remove --sample`,
    )
    .action(async (zpids: string[], options: RemoveCommandOptions, command: Command) => {
      const { file, sample = false, dryRun = false } = options
      const source = sample ? SAMPLE_SOURCE : options.source
      const named = [zpids.length > 0, file !== undefined, options.source !== undefined, sample]
      if (named.filter(Boolean).length !== 1)
        throw new CommandFailure('Name the listings in one way: ZPID…, --file, --source or --sample.', 2)
      const listed = file === undefined ? [...new Set(zpids)] : await readZpids(file)
      const report = await withDatabase(async (database) => {
        const removal: Removal = source === undefined ? { zpids: listed } : { source }
        if (source !== undefined) await requireSource(database, source)
        return removeListings(database, removal, {
          dryRun,
          beforeCommit: (tx, { removed, bySource }) =>
            recordAction(tx, operatorOf(command), {
              action: 'listings.remove',
              object: source ?? listed.slice(0, 20).join(', '),
              before: { listings: removed, by_source: bySource },
            }),
        })
      })
      if (report.removed === 0 && source === undefined)
        throw new CommandFailure(
          listed.length === 1
            ? `The data set has no listing with zpid ${listed[0]}.`
            : `The data set has none of the ${listed.length} listings.`,
        )
      print(command, toJson(report, dryRun), toLines(report, dryRun))
    })
}

async function requireSource(database: Database, source: string): Promise<void> {
  const names = await listSources(database)
  if (names.includes(source)) return
  const known = names.length === 0 ? 'It is empty.' : `Its sources are ${names.join(', ')}.`
  throw new CommandFailure(`The data set has no source "${source}". ${known}`)
}

function toJson({ removed, bySource, notFound }: RemovalReport, dryRun: boolean) {
  return { dry_run: dryRun, removed, by_source: bySource, not_found: notFound }
}

const SHOWN_MISSING = 20

function toLines({ removed, bySource, notFound }: RemovalReport, dryRun: boolean): string[] {
  const shown = notFound.slice(0, SHOWN_MISSING)
  const rest = notFound.length - shown.length
  return [
    dryRun ? 'Nothing was written. Removing these listings would give:' : 'Removed.',
    ...facts([
      ['removed', removed],
      ...Object.entries(bySource).map(([source, count]) => [`  of ${source}`, count] as const),
      ['not found', notFound.length],
    ]),
    ...(shown.length > 0 ? ['', 'The data set has no listing with these zpids:'] : []),
    ...shown.map((zpid) => `  ${zpid}`),
    ...(rest > 0 ? [`  and ${rest.toLocaleString('en-US')} more (--json has all)`] : []),
  ]
}
