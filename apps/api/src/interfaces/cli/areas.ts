import { Argument, Command, Option } from 'commander'
import {
  type ImportedKind,
  importPlaces,
  listPlaces,
  type PlaceReport,
  removePlaces,
} from '../../data/places.ts'
import { runAsOperator } from '../../money/operator.ts'
import { operatorOf, operatorOption } from './arguments.ts'
import { CommandFailure, facts, print, table } from './print.ts'
import { withDatabase } from './with-database.ts'

const KINDS = ['zip', 'place', 'county', 'neighborhood'] as const satisfies readonly ImportedKind[]

export function areasCommand(): Command {
  return new Command('areas')
    .description('Import, list and remove the boundaries of places that searches can name.')
    .addCommand(importCommand())
    .addCommand(listCommand())
    .addCommand(removeCommand())
}

const kindOption = (description: string) =>
  new Option('--kind <kind>', description).choices(KINDS).makeOptionMandatory()

interface ImportOptions {
  kind: ImportedKind
  idField: string
  nameField: string
  countyField?: string
  stateField?: string
  source: string
  license: string
  vintage?: string
  strict?: boolean
  dryRun?: boolean
}

function importCommand(): Command {
  return new Command('import')
    .description(
      'Import boundaries from GeoJSON. A place with the same kind and id is replaced. An import is applied completely or not at all.',
    )
    .addArgument(
      new Argument(
        '<file>',
        'a FeatureCollection, or one Feature per line (.geojsonl, .ndjson); it can be compressed with gzip',
      ),
    )
    .addOption(kindOption('the kind of these places'))
    .requiredOption('--id-field <name>', 'the property with the id, for example a ZIP code or a GEOID')
    .requiredOption('--name-field <name>', 'the property with the name')
    .option('--county-field <name>', 'the property with the name of the county; default: found on the map')
    .option('--state-field <name>', 'the property with the state; default: found on the map')
    .requiredOption('--source <text>', 'where the boundaries come from; responses name it')
    .requiredOption('--license <text>', 'the license of the boundaries')
    .option(
      '--vintage <text>',
      'the year or version of the boundaries; responses name it; default: the day of the import',
    )
    .option('--strict', 'change nothing when a boundary is rejected')
    .option('--dry-run', 'report what would happen, and write nothing')
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
Boundaries follow the rules for areas (see the guide on areas), but can have up to 200,000 positions each. Invalid ones are
rejected and reported, never repaired.

Example:
  lotline areas import zcta.geojson.gz --kind zip --id-field ZCTA5CE20 --name-field ZCTA5CE20 \\
    --source "U.S. Census Bureau, ZCTA" --license "public domain" --vintage 2020`,
    )
    .action(async (file: string, options: ImportOptions, command: Command) => {
      const { idField, nameField, countyField, stateField, vintage, ...order } = options
      const report = await withDatabase((all) =>
        runAsOperator(all, operatorOf(command), async ({ database, note }) => {
          const report = await importPlaces(database, file, {
            ...order,
            vintage: vintage ?? `imported ${new Date().toISOString().slice(0, 10)}`,
            fields: {
              id: idField,
              name: nameField,
              ...(countyField !== undefined && { county: countyField }),
              ...(stateField !== undefined && { state: stateField }),
            },
          })
          const { added, replaced, rejected, written } = report
          const { kind, source } = options
          const after = { file, kind, source, added, replaced, rejected: rejected.length }
          if (written) await note({ action: 'areas.import', object: kind, after })
          return report
        }),
      )
      print(command, report, linesOf(report))
      if (options.strict && report.rejected.length > 0)
        throw new CommandFailure('Nothing was imported, because boundaries were rejected (--strict).')
    })
}

/** --json has all of them. */
const SHOWN_REJECTED = 20

function linesOf({ added, replaced, rejected, written }: PlaceReport): string[] {
  const shown = rejected
    .slice(0, SHOWN_REJECTED)
    .map(({ feature, line, id, reason }) => [
      line === null ? `feature ${feature}` : `line ${line}`,
      id,
      reason,
    ])
  const rest = rejected.length - shown.length
  return [
    written ? 'Imported.' : 'Nothing was written. Importing these places would give:',
    ...facts([
      ['added', added],
      ['replaced', replaced],
      ['rejected', rejected.length],
    ]),
    ...(shown.length > 0 ? ['', ...table(['REJECTED', 'ID', 'REASON'], shown)] : []),
    ...(rest > 0 ? [`and ${rest.toLocaleString('en-US')} more (--json has all)`] : []),
  ]
}

function listCommand(): Command {
  return new Command('list')
    .description(
      'List the imported places by kind and source. States and counties are built in and not listed.',
    )
    .addHelpText('after', '\nExamples:\n  lotline areas list\n  lotline areas list --json')
    .action(async (_options: object, command: Command) => {
      const sources = await withDatabase(listPlaces)
      const rows = sources.map(({ kind, places, positions, vintage, license, source }) => [
        kind,
        places,
        positions,
        vintage,
        license,
        source,
      ])
      const heading = ['KIND', 'PLACES', 'POSITIONS', 'VINTAGE', 'LICENSE', 'SOURCE']
      print(command, sources, rows.length > 0 ? table(heading, rows) : ['No places have been imported.'])
    })
}

function removeCommand(): Command {
  return new Command('remove')
    .description('Remove imported places. Built-in states and counties stay.')
    .addOption(kindOption('the kind of the places'))
    .option('--source <text>', 'only those of this source')
    .option('--id <id>', 'only the one with this id')
    .addOption(operatorOption())
    .addHelpText(
      'after',
      `
Watches and jobs keep the boundaries that they were created with.

Example:
  lotline areas remove --kind neighborhood --source "City of Seattle"`,
    )
    .action(async (options: { kind: ImportedKind; source?: string; id?: string }, command: Command) => {
      const removed = await withDatabase((all) =>
        runAsOperator(all, operatorOf(command), async ({ database, note }) => {
          const { kind, source, id } = options
          const removed = await removePlaces(database, options)
          if (removed > 0)
            await note({
              action: 'areas.remove',
              object: kind,
              before: { kind, source, id, places: removed },
            })
          return removed
        }),
      )
      if (removed === 0) throw new CommandFailure('No imported place fits.')
      print(command, { removed }, facts([['removed', removed]]))
    })
}
