// Judges, counts, and stages the rows of an import, together with their restrictions.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { ListingBatch } from '../listings/listing-batch.ts'
import { KEPT_REJECTIONS_OF_SOURCE, type SourceCounts } from '../listings/listing-source.ts'
import type { RestrictedHomes } from '../rights/restricted-homes.ts'
import { type RightsCounts, WITHHELD_REASONS } from '../rights/row-rights.ts'
import type { RejectedHomes } from './complete-source.ts'
import type { ImportNotes, RowPositions } from './import-notes.ts'
import type { RowVerdict } from './judge-row.ts'
import { placeOf, type SourceRow } from './source-row.ts'

// Several batches, so that neither side waits if the other, such as a disk, is slow for a moment.
const BATCHES_UNDER_WAY = 3

const ROWS_BETWEEN_PAUSES = 25

export interface StagingParts {
  readonly judge: (row: SourceRow) => RowVerdict
  readonly sourceOf: (row: SourceRow) => string
  /** Stages a batch, and returns the number of new homes. */
  readonly send: (batch: ListingBatch) => Promise<number>
  readonly notes: ImportNotes
  readonly positions: RowPositions
  readonly rights: RightsCounts
  /** Collects the homes of rejected rows, which are not missing. */
  readonly rejectedHomes: RejectedHomes | undefined
  readonly restricted: RestrictedHomes | undefined
  /** Called with the number of rows that were read so far. */
  readonly onRead: (read: number) => void
}

export interface StagedRows {
  readonly read: number
  readonly inserted: number
  readonly sources: ReadonlyMap<string, SourceCounts>
}

/** While the database processes some batches, the next one is read. */
export async function stageRows(
  rows: AsyncIterable<readonly SourceRow[]>,
  { judge, sourceOf, send, notes, positions, rights, rejectedHomes, restricted, onRead }: StagingParts,
): Promise<StagedRows> {
  const sources = new Map<string, SourceCounts>()
  let [read, inserted] = [0, 0]
  let batch = new ListingBatch()
  const underWay: Promise<number>[] = []

  async function sendBatch(): Promise<void> {
    if (underWay.length === BATCHES_UNDER_WAY) inserted += await underWay.shift()!
    const sent = send(batch)
    // Awaited later: until then a failure must not count as unhandled.
    sent.catch(() => {})
    underWay.push(sent)
    batch = new ListingBatch()
    onRead(read)
  }

  function stage(row: SourceRow): void {
    const source = sourceOf(row)
    const counts = sources.get(source) ?? newCounts()
    sources.set(source, counts)
    counts.read += 1
    const judged = judge(row)
    switch (judged.verdict) {
      case 'store':
      case 'hide': {
        const { listing, warnings } = judged
        if (judged.verdict === 'hide') rights.addressesHidden += 1
        restricted?.use(listing.zpid, source, listing.addressHidden)
        for (const warning of warnings) notes.warn(row, listing.zpid, warning)
        counts.warnings += warnings.length
        if (batch.add(positions.next(row), listing)) notes.repeat(row, listing.zpid)
        return
      }
      case 'withhold': {
        const { zpid, reason, restriction } = judged
        rights.withheld[reason] = (rights.withheld[reason] ?? 0) + 1
        restricted?.forbid(zpid, source, restriction.what, restriction.plain)
        counts.withheld += 1
        notes.withhold(row, zpid, WITHHELD_REASONS[reason])
        return
      }
      case 'reject': {
        const { fault, restriction, unread } = judged
        const { file, line } = row
        if (unread !== undefined) rights.firstUnread ??= `${placeOf(row)} ${unread}`
        if (restriction?.what === 'address') rights.addressesHidden += 1
        if (restriction?.zpid !== undefined)
          restricted?.forbid(restriction.zpid, source, restriction.what, restriction.plain)
        counts.rejected += 1
        if (counts.rejections.length < KEPT_REJECTIONS_OF_SOURCE)
          counts.rejections.push({ file, line, reason: fault })
        notes.reject(row, fault, row.asRead)
        rejectedHomes?.add(row)
      }
    }
  }

  try {
    for await (const some of rows) {
      for (const row of some) {
        read += 1
        stage(row)
        if (batch.isFull) await sendBatch()
        if (restricted?.isFull) await restricted.flush()
        // Batches are only sent, and their results received, when reading pauses, which it does not do by itself while there is something
        // to read. Without pauses, the database would wait for the next batch as long as reading one takes.
        if (read % ROWS_BETWEEN_PAUSES === 0) await nextTurn()
      }
    }
    if (batch.size > 0) await sendBatch()
  } finally {
    await Promise.allSettled(underWay)
  }
  for (const sent of underWay) inserted += await sent
  return { read, inserted, sources }
}

function newCounts(): SourceCounts {
  return { read: 0, rejected: 0, withheld: 0, warnings: 0, rejections: [] }
}
