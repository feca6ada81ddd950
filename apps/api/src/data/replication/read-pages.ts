// Reads the pages of one pass over a feed: everything that has changed since the last pass, or the rest of an interrupted pass.
// Why: decisions/data/feed-is-read-as-pages.md
// Why: decisions/data/full-page-without-a-next-one.md
// Why: decisions/data/feeds-that-skip-by-number.md
// Why: decisions/data/ties-are-read-by-key.md

import type { FeedRun } from './apply-page.ts'
import {
  advance,
  beganBefore,
  type FeedPosition,
  moveTo,
  readPosition,
  sinceOf,
  withoutPage,
} from './feed-position.ts'
import { PageProgress } from './page-progress.ts'
import type { RelatedName } from './profiles.ts'
import { behindInTie, isSorted, type TieCursor, tieAt, tieCursor, tieOf, timesOf } from './read-tie.ts'
import {
  type FeedPage,
  type FeedRecord,
  hasTime,
  isCutAt,
  MODIFIED_FIELD,
  queryUrl,
  readPage,
  skipping,
} from './reso-feed.ts'
import { isUnsupported } from './server-abilities.ts'
import { FeedFailure } from './upstream.ts'

/** A page of a pass, and the position to save with it. An interrupted pass continues there. */
export interface PassPage {
  readonly records: readonly FeedRecord[]
  readonly position: FeedPosition
  /** Why the pass ends with this page although the server names a further one, as the end of a sentence about the server. */
  readonly brokenOff?: string
}

/**
 * Where a pass reads next. `count` records were sent before in answer to the query that `url` belongs to.
 *
 * - `whole`: the beginning of a query of our own
 * - `within`: a further page that the server named in answer to `query`
 * - `resume`: the same behind an interruption, where the query is not known any more
 * - `tie`: records of the same time of change, by their keys
 */
type Cursor =
  | { readonly at: 'whole'; readonly url: string; readonly count: 0 }
  | { readonly at: 'within'; readonly url: string; readonly count: number; readonly query: string }
  | { readonly at: 'resume'; readonly url: string; readonly count: number }
  | TieCursor

/**
 * Save the position of a page before taking the next page. An empty page that names a next one is no progress, and is not returned.
 *
 * @param resource undefined: the listings
 * @throws {FeedFailure} when the feed cannot be read to its end
 */
export async function* readPages(
  run: FeedRun,
  resource: RelatedName | undefined,
): AsyncGenerator<PassPage, void, undefined> {
  const { database, lease, upstream, settings, profile, signal } = run
  let position = await readPosition(database, lease.name, resource)
  let cursor: Cursor | undefined = cursorAt(run, position, resource)
  let progress = new PageProgress()
  // At most once in a run: a server may refuse its own next pages every time. The first query of a pass has nothing to restart from.
  let mayRestart = position.next_link !== null
  let hasRestarted = false
  let skippedTo = ''
  while (cursor) {
    let page: FeedPage
    const askedMs = performance.now()
    try {
      page = await readPage(upstream, cursor.url, signal)
    } catch (error) {
      const isTie: boolean = cursor.at === 'tie' && isUnsupported(error)
      if (isTie) await run.abilities.learn({ keyRanges: 'refused' })
      else if (hasRestarted || !mayRestart || !isGone(error)) throw error
      else hasRestarted = true
      position = withoutPage(position, profile)
      await moveTo(run, position, resource)
      cursor = cursorAt(run, position, resource)
      // The pages of the new query may have the same addresses.
      progress = new PageProgress()
      continue
    }
    let next = cursorBehind(run, cursor, page, resource)
    const stalled = progress.add(cursor.url, { ...page, next: next?.url })
    let brokenOff: string | undefined
    if (stalled !== undefined) {
      if (cursor.at === 'tie') await run.abilities.learn({ keyRanges: 'refused' })
      const to = cursor.at === 'tie' ? cursor.tie.to : timeBehind(run, page, position)
      if (to !== undefined && to > skippedTo) {
        // A sweep finds the rest of a tie by its keys.
        skippedTo = to
        next = whole(queryUrl(settings, profile, { since: to, resource }))
      } else if (skippedTo === '') throw new FeedFailure(`${upstream.origin} ${stalled}`)
      else [next, brokenOff] = [undefined, stalled]
    }
    requireTimes(page, upstream.origin)
    position = beganBefore(position, page, performance.now() - askedMs)
    if (page.records.length > 0 || !next) {
      position = advance(position, page, next)
      yield { records: page.records, position, ...(brokenOff !== undefined && { brokenOff }) }
    }
    // The query of a tie brings records again that the page before it had.
    if (next && (next.at === 'tie') !== (cursor.at === 'tie')) progress = new PageProgress()
    cursor = next
    mayRestart = true
  }
}

/** The place where a pass continues. After a pass that has ended, it is the beginning of the next one. */
function cursorAt(
  { settings, profile }: FeedRun,
  position: FeedPosition,
  resource: RelatedName | undefined,
): Cursor {
  const { next_link: link, next_count: count } = position
  if (link === null) return whole(queryUrl(settings, profile, { since: sinceOf(position), resource }))
  const tie = tieAt({ settings, profile }, position, resource)
  if (tie) return tie
  return count === 0 ? whole(link) : { at: 'resume', url: link, count }
}

function whole(url: string): Cursor {
  return { at: 'whole', url, count: 0 }
}

/** Servers may show their times with fewer digits than they sort by. */
const SHOWN_TIME_MS = 1_000

/**
 * The address of the page behind this one. A server that skips a number of records misses some if records that were read already have
 * changed since, because these moved to the end of its order. So a sorted pass requests the records from the last time of this page on.
 * If nearly all of the page have that time, it reads the records of that time by key, where the server allows it.
 */
function cursorBehind(
  run: FeedRun,
  cursor: Cursor,
  page: FeedPage,
  resource: RelatedName | undefined,
): Cursor | undefined {
  const { settings, profile } = run
  const { records, next } = page
  if (cursor.at === 'tie') {
    const rest = queryUrl(settings, profile, { since: cursor.tie.to, resource })
    return behindInTie(run, cursor, page, resource) ?? whole(rest)
  }
  const count = cursor.count + records.length
  const query = cursor.at === 'whole' ? cursor.url : cursor.at === 'within' ? cursor.query : undefined
  const named = next === undefined ? undefined : namedBy(next, count, query)
  const mayLack = next === undefined ? isCutAt(profile.pageSize, count, records, profile) : skips(next)
  if (!profile.sorts || !mayLack) return named
  const times = timesOf(page)
  const since = times.at(-1)! - SHOWN_TIME_MS
  const advances = isSorted(times) && since > times[0]!
  const tie = !advances && run.abilities.current.keyRanges !== 'refused' ? tieOf(page) : undefined
  if (tie) return tieCursor(run, tie, resource)
  if (!advances && named) return named
  if (!advances && query !== undefined) return whole(skipping(query, count))
  // After an interruption the number of records to skip is not known. The records of the last second are read again.
  if (Number.isNaN(since)) return undefined
  return whole(queryUrl(settings, profile, { since: new Date(since).toISOString(), resource }))
}

/** The first time behind all records that were read. undefined: the records are not sorted, or the page has none. */
function timeBehind({ profile }: FeedRun, page: FeedPage, { reached }: FeedPosition): string | undefined {
  const times = tieOf(page)
  if (!profile.sorts || times === undefined) return undefined
  if (reached === null || Date.parse(reached) < Date.parse(times.to)) return times.to
  return tieOf({ records: [{ [MODIFIED_FIELD]: reached }] })?.to
}

/**
 * The page that the server named.
 *
 * @param query undefined: requested before an interruption
 */
function namedBy(url: string, count: number, query: string | undefined): Cursor {
  return query === undefined ? { at: 'resume', url, count } : { at: 'within', url, count, query }
}

function skips(url: string): boolean {
  return new URL(url).searchParams.has('$skip')
}

/** The address of a saved page may have expired, or be invalid for a server that was restarted. */
function isGone(error: unknown): boolean {
  return error instanceof FeedFailure && [400, 404, 410, 422].includes(error.status ?? 0)
}

/** Without times of change, the pass could not continue after this page. A page of only impossible times must not stop the feed. */
function requireTimes({ records }: FeedPage, origin: string): void {
  if (records.length === 0 || records.some(hasTime)) return
  throw new FeedFailure(
    `${origin} sent ${records.length} records, none of which has a usable ${MODIFIED_FIELD}`,
  )
}
