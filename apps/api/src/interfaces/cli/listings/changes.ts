import { Command } from 'commander'
import {
  hasNewPrice,
  type ListingChange,
  type ListingFacts,
  readChanges,
  readLatestChanges,
  reportedStatus,
} from '../../../data/sources.ts'
import { sinceOrNumber, wholeNumber } from '../arguments.ts'
import { print, table } from '../print.ts'
import { withDatabase } from '../with-database.ts'

interface ChangesOptions {
  since?: Date | number
  limit: number
}

export function changesCommand(): Command {
  return new Command('changes')
    .description('List the changes made by imports and removals, oldest first. The log is kept for 90 days.')
    .option(
      '--since <when>',
      'changes since this time (24h, 7d, ISO 8601), or after this number of the log',
      sinceOrNumber,
    )
    .option('--limit <n>', 'maximum number of changes', wholeNumber(1, 1_000_000), 100)
    .addHelpText(
      'after',
      `
Without --since, the latest changes are listed. To follow the log, pass the last number that you have seen.

Examples:
  lotline listings changes
  lotline listings changes --since 24h --limit 1000
  lotline listings changes --since 48210 --json`,
    )
    .action(async ({ since, limit }: ChangesOptions, command: Command) => {
      const changes = await withDatabase((database) => {
        if (since === undefined) return readLatestChanges(database, limit)
        const from = typeof since === 'number' ? { after: since } : { after: 0, since }
        return readChanges(database, { ...from, limit })
      })
      const lines = table(
        ['NUMBER', 'OBSERVED', 'ZPID', 'SOURCE', 'CHANGE'],
        changes.map((change) => [change.seq, change.observedAt, change.zpid, change.source, textOf(change)]),
      )
      if (since !== undefined && changes.length === limit)
        lines.push('', `There may be more: --since ${changes.at(-1)!.seq} continues.`)
      print(command, changes.map(toJson), changes.length > 0 ? lines : ['There are no changes.'])
    })
}

/** The changed facts; none for a home that is new or removed. A price that appears or disappears is not a change. */
function changedFacts({ before, after }: ListingChange): (keyof ListingFacts)[] {
  if (!before || !after) return []
  return (Object.keys(after) as (keyof ListingFacts)[]).filter(
    (name) => before[name] !== after[name] && (name !== 'price' || hasNewPrice(before, after)),
  )
}

function textOf(change: ListingChange): string {
  const { before, after } = change
  if (!after) return 'removed'
  if (!before) return `new: ${reportedStatus(after)}, ${after.price ?? 'no price'}`
  const [was, is] = [reportedStatus(before), reportedStatus(after)]
  const facts = changedFacts(change).filter((name) => !STATUS_FACTS.has(name))
  const texts = [
    ...(was === is ? [] : [`status ${was} → ${is}`]),
    ...facts.map((name) => `${name} ${before[name] ?? 'none'} → ${after[name] ?? 'none'}`),
  ]
  return texts.join(', ') || 'price became known or unknown'
}

/** Shown as one status. */
const STATUS_FACTS: ReadonlySet<string> = new Set(['kind', 'is_pending', 'sale_type'])

function toJson(change: ListingChange) {
  const { seq, zpid, generation, source, observedAt, sourceUpdatedAt, before, after } = change
  return {
    seq,
    zpid,
    generation,
    source,
    observed_at: observedAt,
    source_updated_at: sourceUpdatedAt,
    changed: changedFacts(change),
    before: before && { status: reportedStatus(before), ...before },
    after: after && { status: reportedStatus(after), ...after },
  }
}
