// `lotline sources check`: previews what a source would import.

import { Command } from 'commander'
import { placeOf } from '../../../data/ingest.ts'
import { type CheckedFile, checkFeed, checkFile } from '../../../data/replication.ts'
import { readConfig } from '../../../infrastructure/config.ts'
import { facts, print, table, text } from '../print.ts'
import { withDatabase } from '../with-database.ts'
import { requireConnected } from './connected.ts'

export function checkCommand(): Command {
  return new Command('check')
    .description(
      'Connect to a source and show what would become of its listings, and what may be shown of them: of a feed by its metadata ' +
        'and one page, of a file by all its rows. Stores nothing of it.',
    )
    .argument('<name>', 'the source')
    .option('--fields', 'list each field of the feed')
    .addHelpText(
      'after',
      '\nExamples:\n  lotline sources check metro\n  lotline sources check metro --fields',
    )
    .action(async (name: string, options: { fields?: boolean }, command: Command) => {
      const result = await withDatabase(async (database) => {
        const { settings } = await requireConnected(database, name)
        const { signal } = new AbortController()
        return settings.kind === 'reso'
          ? { feed: await checkFeed(database, name, settings, signal) }
          : { file: await checkFile(database, name, settings, { signal, dataDir: readConfig().dataDir }) }
      })
      if (result.file) return printFile(result.file, command)
      const { feed: checked } = result
      const { fields, page, rights } = checked
      const uses = (use: string) => fields.filter((field) => field.use === use)
      print(command, checked, [
        ...facts([
          ['records in the feed', checked.records ?? 'the server does not say'],
          ['$metadata', checked.metadata],
          ['fields copied', uses('copied').length],
          ['fields computed with', uses('computed').length],
          ['fields unknown', uses('unknown').length],
          ['links to photos', rights.mediaLinks ? 'shown' : 'never shown'],
          ['name of the listing office', rights.requiresOffice ? 'required' : 'not required'],
          ['use that must be permitted', rights.use ?? 'none is configured'],
          ['notice with each listing', rights.notice ?? 'none is configured'],
          ['records read', page.read],
          ['would be listed', page.listed],
          ['of these, without address', page.addressHidden],
          ['deleted in the feed', page.deleted],
          ...Object.entries(page.withheld).map(([reason, count]) => [`withheld: ${reason}`, count] as const),
          ['rejected', page.rejected.length],
        ]),
        ...(page.unknownLookups.length > 0 ? ['', 'Unknown lookups, which are kept as text:'] : []),
        ...page.unknownLookups.map(({ field, value }) => `  ${field}: ${value}`),
        ...page.rejected.map(({ key, problems }) => `rejected ${text(key ?? null)}: ${problems.join('; ')}`),
        ...(options.fields
          ? [
              '',
              ...table(
                ['FIELD', 'USE', 'TO'],
                fields.map((field) => [
                  field.field,
                  field.use,
                  field.use === 'copied' ? field.to.join(', ') : field.use === 'computed' ? field.how : '–',
                ]),
              ),
            ]
          : []),
      ])
    })
}

const SHOWN_REJECTIONS = 20

function printFile(checked: CheckedFile, command: Command): void {
  const { read, inserted, updated, unchanged, duplicates, removed, withdrawn, rejected, columns } = checked
  print(command, checked, [
    ...facts([
      ['rows in the file', read],
      ...(columns
        ? [
            ['columns mapped', columns.mapped.length] as const,
            ['columns not mapped', columns.unknown.join(', ') || 0] as const,
          ]
        : []),
      ['fields of rights', checked.rightsFields.join(', ') || 'none'],
      ['would be inserted', inserted],
      ['would be updated', updated],
      ['unchanged', unchanged],
      ['duplicates', duplicates],
      ['without address', checked.addressesHidden],
      ...Object.entries(checked.withheld).map(([reason, count]) => [`withheld: ${reason}`, count] as const),
      ['stored homes that would be removed', removed],
      ['stored homes that would go off the market', withdrawn],
      ['rejected', rejected],
    ]),
    ...checked.rejections.slice(0, SHOWN_REJECTIONS).map((row) => `rejected: ${placeOf(row)} ${row.reason}`),
  ])
}
