import { basename } from 'node:path'
import { Presets, SingleBar } from 'cli-progress'
import { Command } from 'commander'
import { ImportHeld, saveLimits } from '../../../data/imports.ts'
import {
  type Completion,
  createReportFile,
  type ImportProgress,
  type ImportReport,
  type ImportWarning,
  importListings,
  type OpenFiles,
  openFiles,
  placeOf,
  readMapping,
  sourceOfFile,
  sourcesOfFiles,
} from '../../../data/ingest.ts'
import { countSample } from '../../../data/listings.ts'
import { recordAction } from '../../../money/operator.ts'
import { operatorOf, operatorOption, ownSourceName, wholeNumber } from '../arguments.ts'
import { CommandFailure, facts, print } from '../print.ts'
import { withDatabase } from '../with-database.ts'
import { collectExamples, linesOfExamples } from './example-homes.ts'
import { EXIT_HELD } from './held.ts'
import { readLimits } from './limits-option.ts'

interface ImportCommandOptions {
  map?: string
  source?: string
  dryRun?: boolean
  strict?: boolean
  merge?: boolean
  report?: string
  complete?: boolean
  allowRemovals?: number
  use?: string
  limits?: string
}

export function importCommand(): Command {
  return new Command('import')
    .description(
      'Import listings from files: add new ones and update existing ones. An import is applied completely or not at all, but what its rows forbid to show is followed in any case.',
    )
    .argument(
      '<file...>',
      'NDJSON with one record per line, or CSV with --map; each file can be compressed with gzip',
    )
    .option('--map <file>', 'the mapping file that says what the columns of the CSV files mean')
    .option(
      '--source <name>',
      "the source of these listings; default: each file's name without its date",
      ownSourceName,
    )
    .option(
      '--complete',
      'the files have all homes of their source: homes of the source that are not in them go off the market',
    )
    .option(
      '--allow-removals <n>',
      'allow up to this many homes to go off the market with --complete, and as many to be removed or hidden by values that are neither yes nor no, even if they are more than 20% of the source',
      wholeNumber(1),
    )
    .option(
      '--limits <file|json>',
      'limits for this source in place of the usual ones, kept for its later imports: a JSON object such as {"lost": 0.5}, or a file that contains one',
    )
    .option('--use <use>', 'the use that rows must permit in MlgCanUse, such as IDX, if they have this field')
    .option(
      '--merge',
      'a row changes only the fields that it has; the stored record keeps the others. Default: a row replaces the record, unless the mapping says rows: merge',
    )
    .option('--strict', 'change nothing when a row is rejected or has a warning')
    .option('--report <file>', 'write every rejected or withheld row, warning and duplicate to this CSV file')
    .option('--dry-run', 'report what would happen, and write nothing')
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
Several files are one import, read in the order given: one transaction and one report. If a home occurs several times, its
last row counts; with --merge, each row changes what the rows before it gave.

An import that would change a source too much is held: nothing is changed, its rows are kept, and the command ends with exit
code 3. lotline listings show, release and discard see to it. With --complete, that is the case if more than 20% of the
source's homes (and more than 10 homes) would go off the market. The import fails if as many would be removed or hidden by values that are
neither yes nor no. What rows forbid to show by a plain no is followed in any case.

Examples:
  lotline listings import homes.ndjson.gz
  lotline listings import 2026-*.ndjson.gz
  lotline listings import sales.csv --map apps/api/mappings/king-county.yaml --dry-run
  lotline listings import sales.csv --map sales.yaml --source county-sales --strict --report rows.csv
  lotline listings import mls_2026-11-22.ndjson --complete
  lotline listings import price-changes.ndjson --merge --source mls`,
    )
    .action(async (paths: string[], options: ImportCommandOptions, command: Command) => {
      const { dryRun = false, strict = false } = options
      const source = sourcesOfFiles(paths, options.source)
      const complete = completionOf(paths, options)
      const limits = options.limits === undefined ? undefined : await readLimits(options.limits)
      const { files, merge } = await openAll(paths, options)
      const examples = collectExamples()
      let importId: number | null = null
      const { report, sample } = await withDatabase(async (database) => {
        if (limits)
          for (const name of sourcesIn(paths, options.source)) await saveLimits(database, name, limits)
        const rowsFile = options.report === undefined ? undefined : createReportFile(options.report)
        const progress = showProgress(files)
        try {
          const report = await importListings(database, files.rows, {
            source,
            dryRun,
            strict,
            merge,
            onProgress: progress.update,
            ...(complete && { complete }),
            ...(options.use !== undefined && { use: options.use }),
            ...(options.allowRemovals !== undefined && { allowRemovals: options.allowRemovals }),
            ...(rowsFile && { onNote: rowsFile.write }),
            ...(dryRun && { onAccepted: ({ record }) => examples.add(record) }),
            beforeCommit(tx, { rejections, warnings, duplicateRows, sources, rightsFields, ...counts }, id) {
              importId = id
              return recordAction(tx, operatorOf(command), {
                action: 'listings.import',
                object: sources.join(', ').slice(0, 1000),
                after: {
                  import: id,
                  files: paths.slice(0, 100),
                  complete: complete !== undefined,
                  merge,
                  ...counts,
                },
              })
            },
            beforeFollowed: (tx, { removed, hidden }) =>
              recordAction(tx, operatorOf(command), {
                action: 'listings.import',
                object: sourcesIn(paths, options.source).join(', ').slice(0, 1000),
                after: { files: paths.slice(0, 100), failed: true, removed, addressesHidden: hidden },
              }),
          })
          return { report, sample: await countSample(database) }
        } catch (error) {
          if (error instanceof ImportHeld) throw new CommandFailure(error.message, EXIT_HELD)
          throw error
        } finally {
          progress.end()
          rowsFile?.close()
        }
      })
      const name = paths.length === 1 ? basename(paths[0]!) : `${paths.length} files`
      const shown = dryRun ? { first_homes: examples.homes } : {}
      print(command, { import: importId, ...toJson(report, dryRun), ...shown, sample_listings: sample }, [
        ...toLines(name, report, dryRun, importId),
        ...linesOfExamples(examples.homes),
        ...sampleHint(sample),
      ])
    })
}

function completionOf(paths: readonly string[], options: ImportCommandOptions): Completion | undefined {
  const { complete = false, allowRemovals, source } = options
  if (!complete) return undefined
  return { sources: sourcesIn(paths, source), ...(allowRemovals !== undefined && { allowRemovals }) }
}

function sourcesIn(paths: readonly string[], source: string | undefined): string[] {
  return source === undefined ? [...new Set(paths.map(sourceOfFile))] : [source]
}

async function openAll(
  paths: readonly string[],
  { map, merge = false }: ImportCommandOptions,
): Promise<{ readonly files: OpenFiles; readonly merge: boolean }> {
  const csv = paths.find((path) => /\.csv(?:\.gz)?$/i.test(path))
  const mapping = map === undefined ? undefined : await readMapping(map)
  const files = await openFiles(paths, mapping)
  if (map !== undefined || csv === undefined) return { files, merge: merge || mapping?.rows === 'merge' }
  throw new CommandFailure(
    `${csv} is CSV: say what its columns mean with --map FILE. lotline listings map writes a first one.`,
    2,
  )
}

/** A progress bar, on a terminal only. */
function showProgress(files: OpenFiles) {
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
      bar.setTotal(Math.max(1, files.size))
      const rejected = progress.rejected > 0 ? `, ${count(progress.rejected)} rejected` : ''
      bar.update(files.position(), { phase: 'Reading', detail: `${count(progress.read)} rows${rejected}` })
    } else {
      bar.setTotal(Math.max(1, progress.of))
      bar.update(progress.stored, { phase: 'Updating', detail: `${count(progress.stored)} homes` })
    }
  }
  return { update, end: () => bar.stop() }
}

function toJson(
  { rejections, sources, takenOver, duplicateRows, warnings, ...report }: ImportReport,
  dryRun: boolean,
) {
  const { withheldReasons, addressesHidden, rightsFields, ...counts } = report
  return {
    dry_run: dryRun,
    ...counts,
    taken_over: takenOver,
    sources,
    withheld_reasons: withheldReasons,
    addresses_hidden: addressesHidden,
    rights_fields: rightsFields,
    rejections,
    warnings,
    duplicate_rows: duplicateRows,
  }
}

const SHOWN_ROWS = 20
const SHOWN_LINES = 5

function toLines(name: string, report: ImportReport, dryRun: boolean, importId: number | null): string[] {
  const { read, inserted, updated, takenOver, unchanged, duplicates, rejected, rejections } = report
  const { warnings, duplicateRows } = report
  return [
    dryRun ? `Nothing was written. Importing ${name} would give:` : `Imported ${name}.`,
    ...facts([
      [report.sources.length === 1 ? 'source' : 'sources', report.sources.join(', ')],
      ['read', read],
      ['inserted', inserted],
      ['updated', updated],
      ...(takenOver > 0 ? [['of these, from other sources', takenOver] as const] : []),
      ['unchanged', unchanged],
      ...(report.withdrawn > 0 ? [['went off the market', report.withdrawn] as const] : []),
      ['duplicates', duplicates],
      ['rejected', rejected],
      ...rightsFacts(report),
      ...(warnings.length > 0 ? [['warnings', sum(warnings)] as const] : []),
      ...(importId === null ? [] : [['import', importId] as const]),
    ]),
    ...(rejected > 0 ? ['', 'These rows were kept out:'] : []),
    ...listRows(
      rejections.map((row) => `${placeOf(row)} ${row.reason}`),
      rejected,
    ),
    ...(warnings.length > 0 ? ['', 'These rows were imported, with a warning:'] : []),
    ...warnings.flatMap(linesOfWarning),
    ...(duplicates > 0 ? ['', 'These rows have a zpid that came before; the last row of each counts:'] : []),
    ...listRows(
      duplicateRows.map((row) => `${placeOf(row)}: ${row.zpid}`),
      duplicates,
    ),
  ]
}

/** A summary of the rows' display rights; empty if they have none. */
function rightsFacts(report: ImportReport): readonly (readonly [string, string | number])[] {
  const { rightsFields, withheld, withheldReasons, removed, addressesHidden } = report
  if (rightsFields.length === 0) return []
  return [
    ['fields of rights', rightsFields.join(', ')],
    ['without address', addressesHidden],
    ['withheld', withheld],
    ...Object.entries(withheldReasons).map(([reason, rows]) => [`withheld: ${reason}`, rows] as const),
    ['removed, because they may not be shown', removed],
  ]
}

function listRows(rows: readonly string[], all: number): string[] {
  const shown = rows.slice(0, SHOWN_ROWS)
  const rest = all - shown.length
  return [
    ...shown.map((row) => `  ${row}`),
    ...(rest > 0 ? [`  and ${count(rest)} more. --report FILE.csv lists all rows.`] : []),
  ]
}

function linesOfWarning({ code, meaning, count: rows, reasons }: ImportWarning): string[] {
  const shown = reasons.toSorted((one, other) => other.count - one.count).slice(0, SHOWN_LINES)
  const rest = rows - shown.reduce((sum, { count }) => sum + count, 0)
  return [
    `  ${code} (${count(rows)}): ${meaning}`,
    ...shown.map(({ reason, count: equal, first }) =>
      equal === 1
        ? `    ${placeOf(first)} ${reason}`
        : `    ${placeOf(first)} and ${count(equal - 1)} more: ${reason}`,
    ),
    ...(rest > 0 ? [`    and ${count(rest)} more`] : []),
  ]
}

function sum(warnings: readonly ImportWarning[]): number {
  return warnings.reduce((total, { count: rows }) => total + rows, 0)
}

/** Invented homes beside real ones mislead customers. */
function sampleHint(sample: number): string[] {
  if (sample === 0) return []
  return [
    '',
    `The data set still has ${count(sample)} sample listings, which are invented. To remove them:`,
    '  lotline listings remove --sample',
  ]
}

/** With thousands separators, for a sentence. */
function count(number: number): string {
  return number.toLocaleString('en-US')
}
