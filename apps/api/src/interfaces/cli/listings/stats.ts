import { Command } from 'commander'
import { type Counts, countListings } from '../../../data/sources.ts'
import { countReplaced } from '../../../data/undo.ts'
import { facts, print, table } from '../print.ts'
import { withDatabase } from '../with-database.ts'

export function statsCommand(): Command {
  return new Command('stats')
    .description('Count the listings of the data set.')
    .addHelpText(
      'after',
      `
Examples:
  lotline listings stats
  lotline listings stats --json`,
    )
    .action(async (_options: object, command: Command) => {
      const { counts, kept } = await withDatabase(async (database) => ({
        counts: await countListings(database),
        kept: await countReplaced(database),
      }))
      const { total, buildings, unplaced, newestGeneration, bySource, byKind, byHomeType, byState } = counts
      print(
        command,
        {
          total,
          buildings,
          unplaced,
          newest_generation: newestGeneration,
          kept_for_undo: kept.homes,
          kept_for_undo_bytes: kept.bytes,
          by_source: bySource,
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
            ['kept for undo', `${kept.homes.toLocaleString('en-US')} (${megabytes(kept.bytes)} MB)`],
          ]),
          ...section('SOURCE', bySource),
          ...section('KIND', byKind),
          ...section('HOME TYPE', byHomeType),
          ...section('STATE', byState),
        ],
      )
    })
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)

function section(heading: string, counts: Counts): string[] {
  const rows = Object.entries(counts)
  return rows.length === 0 ? [] : ['', ...table([heading, 'LISTINGS'], rows)]
}
