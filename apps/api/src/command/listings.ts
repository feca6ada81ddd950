import { basename } from 'node:path'
import { Presets, SingleBar } from 'cli-progress'
import { Command } from 'commander'
import { type Counts, countListings } from '../providers/dataset/count-listings.ts'
import { readMapping } from '../providers/dataset/import/mapping.ts'
import { type OpenFile, openFile } from '../providers/dataset/import/open-file.ts'
import { readCsv } from '../providers/dataset/import/read-csv.ts'
import { readNdjson } from '../providers/dataset/import/read-ndjson.ts'
import type { SourceRow } from '../providers/dataset/import/source-row.ts'
import {
  type ImportProgress,
  type ImportReport,
  importListings,
} from '../providers/dataset/import-listings.ts'
import { CommandFailure, facts, print, table } from './print.ts'
import { withDatabase } from './with-database.ts'

export function listingsCommand(): Command {
  return new Command('listings')
    .description('The data set that the dataset provider serves.')
    .addCommand(importCommand())
    .addCommand(stats())
}

interface ImportCommandOptions {
  map?: string
  dryRun?: boolean
}

function importCommand(): Command {
  return new Command('import')
    .description(
      'Add listings to the data set, or bring those up to date that are there. All of the file, or nothing.',
    )
    .argument(
      '<file>',
      'NDJSON with a record in each line, or CSV with --map; either may be packed with gzip',
    )
    .option('--map <file>', 'the mapping file that says what the columns of a CSV file mean')
    .option('--dry-run', 'report what would happen, and write nothing')
    .addHelpText(
      'after',
      `
Examples:
  lotline listings import homes.ndjson.gz
  lotline listings import sales.csv --map apps/api/mappings/king-county.yaml --dry-run`,
    )
    .action(async (path: string, { map, dryRun = false }: ImportCommandOptions, command: Command) => {
      const file = await openFile(path)
      const rows = await rowsOf(path, file, map)
      const report = await withDatabase((database) => {
        const progress = showProgress(file)
        return importListings(database, rows, { dryRun, onProgress: progress.update }).finally(progress.end)
      })
      print(command, toJson(report, dryRun), toLines(basename(path), report, dryRun))
    })
}

async function rowsOf(
  path: string,
  file: OpenFile,
  map: string | undefined,
): Promise<AsyncIterable<SourceRow>> {
  if (map !== undefined) return readCsv(file.bytes, await readMapping(map))
  if (/\.csv(?:\.gz)?$/i.test(path)) {
    throw new CommandFailure(
      `${path} is CSV: say what its columns mean with --map FILE. apps/api/mappings has examples.`,
      2,
    )
  }
  return readNdjson(file.bytes)
}

/** A bar on a terminal, and nothing elsewhere. */
function showProgress(file: OpenFile) {
  if (!process.stderr.isTTY) return { update: () => {}, end: () => {} }
  const bar = new SingleBar(
    { format: '{phase} {bar} {percentage}% | {detail}', hideCursor: true, stream: process.stderr },
    Presets.shades_classic,
  )
  bar.start(1, 0, { phase: 'Reading', detail: '' })
  function update(progress: ImportProgress): void {
    if (progress.phase === 'waiting')
      bar.update(0, { phase: 'Waiting for another import to end', detail: '' })
    else if (progress.phase === 'reading') {
      bar.setTotal(Math.max(1, file.size))
      const rejected = progress.rejected > 0 ? `, ${count(progress.rejected)} rejected` : ''
      bar.update(file.position(), { phase: 'Reading', detail: `${count(progress.read)} rows${rejected}` })
    } else {
      bar.setTotal(progress.of)
      bar.update(progress.stored, { phase: 'Storing', detail: `${count(progress.stored)} homes` })
    }
  }
  return { update, end: () => bar.stop() }
}

function toJson({ rejections, ...counts }: ImportReport, dryRun: boolean) {
  return { dry_run: dryRun, ...counts, rejections }
}

const SHOWN_REJECTIONS = 20

function toLines(name: string, report: ImportReport, dryRun: boolean): string[] {
  const { read, inserted, updated, unchanged, duplicates, rejected, rejections } = report
  const shown = rejections.slice(0, SHOWN_REJECTIONS)
  const rest = rejected - shown.length
  return [
    dryRun ? `Nothing was written. Importing ${name} would give:` : `Imported ${name}.`,
    ...facts([
      ['read', read],
      ['inserted', inserted],
      ['updated', updated],
      ['unchanged', unchanged],
      ['duplicates', duplicates],
      ['rejected', rejected],
    ]),
    ...(rejected > 0 ? ['', 'These rows were kept out:'] : []),
    ...shown.map(({ line, reason }) => `  line ${line} ${reason}`),
    ...(rest > 0 ? [`  and ${count(rest)} more (--json names the first ${count(rejections.length)})`] : []),
  ]
}

function stats(): Command {
  return new Command('stats')
    .description('Count what the data set holds.')
    .addHelpText(
      'after',
      `
Examples:
  lotline listings stats
  lotline listings stats --json`,
    )
    .action(async (_options: object, command: Command) => {
      const counts = await withDatabase(countListings)
      const { total, buildings, unplaced, newestGeneration, byKind, byHomeType, byState } = counts
      print(
        command,
        {
          total,
          buildings,
          unplaced,
          newest_generation: newestGeneration,
          by_kind: byKind,
          by_home_type: byHomeType,
          by_state: byState,
        },
        [
          ...facts([
            ['listings', total],
            ['of buildings', buildings],
            ['without position', unplaced],
            ['newest generation', newestGeneration],
          ]),
          ...section('KIND', byKind),
          ...section('HOME TYPE', byHomeType),
          ...section('STATE', byState),
        ],
      )
    })
}

function section(heading: string, counts: Counts): string[] {
  const rows = Object.entries(counts)
  return rows.length === 0 ? [] : ['', ...table([heading, 'LISTINGS'], rows)]
}

/** With thousands separators, for a sentence. */
function count(number: number): string {
  return number.toLocaleString('en-US')
}
