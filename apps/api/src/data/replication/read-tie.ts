// Reads records of the same time of change by their keys. A server that sorts by the time alone may send such records in another order each
// time, so a number of records to skip would miss some of them.
// Why: decisions/data/ties-are-read-by-key.md

import type { FeedRun } from './apply-page.ts'
import type { FeedPosition } from './feed-position.ts'
import { RELATED, type RelatedName } from './profiles.ts'
import { type FeedPage, isCutAt, KEY_FIELD, literalOf, modifiedOf, queryUrl } from './reso-feed.ts'

/** Times of change whose records are read by key. */
export interface Tie {
  /** The first time, and the first time behind all of them, in whole seconds: servers may show fewer digits than they compare. */
  readonly from: string
  readonly to: string
  /** In OData. Empty: none was read. */
  readonly after: string
}

/** A page of a tie. */
export interface TieCursor {
  readonly at: 'tie'
  readonly url: string
  readonly count: 0
  readonly tie: Tie
}

const SECOND_MS = 1_000

/** The times of change of a page, in epoch milliseconds. NaN: a record has no usable time. */
export function timesOf({ records }: Pick<FeedPage, 'records'>): readonly number[] {
  return records.map((record) => Date.parse(modifiedOf(record) ?? ''))
}

/** Also false if a time is missing. */
export function isSorted(times: readonly number[]): boolean {
  return times.every((time, at) => time >= (times[at - 1] ?? time))
}

/** The times of a page. undefined: it is empty, or not sorted by them. */
export function tieOf(page: Pick<FeedPage, 'records'>): Tie | undefined {
  const times = timesOf(page)
  if (times.length === 0 || !isSorted(times)) return undefined
  return {
    from: new Date(Math.floor(times[0]! / SECOND_MS) * SECOND_MS).toISOString(),
    to: new Date((Math.floor(times.at(-1)! / SECOND_MS) + 1) * SECOND_MS).toISOString(),
    after: '',
  }
}

export function tieCursor(
  { settings, profile }: Pick<FeedRun, 'settings' | 'profile'>,
  tie: Tie,
  resource: RelatedName | undefined,
  field: string = keyField(resource),
): TieCursor {
  const url = queryUrl(settings, profile, {
    since: tie.from,
    before: tie.to,
    behindKey: { field, value: tie.after },
    resource,
  })
  return { at: 'tie', url, count: 0, tie }
}

/** The tie in which a pass was interrupted. undefined: in none. */
export function tieAt(
  run: Pick<FeedRun, 'settings' | 'profile'>,
  { next_link: link, tie_from: from, tie_to: to, tie_after: after }: FeedPosition,
  resource: RelatedName | undefined,
): TieCursor | undefined {
  if (link === null || from === null || to === null || after === null) return undefined
  const fields = [keyField(resource), `${keyField(resource)}Numeric`]
  // An earlier version of the service may have moved the pass on without the tie.
  return fields
    .map((field) => tieCursor(run, { from, to, after }, resource, field))
    .find(({ url }) => url === link)
}

/** The next page of a tie. undefined: this page was its last. */
export function behindInTie(
  run: Pick<FeedRun, 'settings' | 'profile'>,
  cursor: TieCursor,
  { records, next }: FeedPage,
  resource: RelatedName | undefined,
): TieCursor | undefined {
  const { profile } = run
  const { tie } = cursor
  // An empty page that names a next one has no key to continue behind.
  if (records.length === 0 && next !== undefined) return { ...cursor, url: next }
  if (next === undefined && !isCutAt(profile.pageSize, records.length, records, profile)) return undefined
  const last = records.map((record) => literalOf(record, keyField(resource))).findLast(Boolean)
  return last ? tieCursor(run, { ...tie, after: last.value }, resource, last.field) : undefined
}

function keyField(resource: RelatedName | undefined): string {
  return resource === undefined ? KEY_FIELD : RELATED[resource].key
}
