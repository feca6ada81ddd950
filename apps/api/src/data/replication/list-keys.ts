// Reads the keys of a feed, all of them, for a sweep. Where the server allows it, each page is asked for by the key behind which it begins,
// because pages that skip a number of keys overlap and leave gaps while records come and go, and on servers whose order is not stable.

import type { FeedRun } from './apply-page.ts'
import { PageProgress } from './page-progress.ts'
import {
  type FeedPage,
  type FeedRecord,
  isCutAt,
  literalOf,
  queryUrl,
  readPage,
  skipping,
} from './reso-feed.ts'
import { isUnsupported } from './server-abilities.ts'

export interface ListedPage {
  readonly records: readonly FeedRecord[]
  /** Why the list ends here although the server names a further page, as the end of a sentence about the server. */
  readonly brokenOff: string | undefined
}

/** @throws {FeedFailure} when a page cannot be read */
export async function* listKeys(run: FeedRun): AsyncGenerator<ListedPage, void, undefined> {
  const { upstream, settings, profile, signal, abilities } = run
  const progress = new PageProgress()
  let url: string | undefined = queryUrl(settings, profile, { keysOnly: true })
  let [first, count] = [url, 0]
  /** The address to continue with if the server refuses the range of keys. */
  let instead: string | undefined
  while (url !== undefined) {
    let page: FeedPage
    try {
      page = await readPage(upstream, url, signal)
    } catch (error) {
      if (instead === undefined || !isUnsupported(error)) throw error
      await abilities.learn({ keyRanges: 'refused' })
      ;[url, instead] = [instead, undefined]
      continue
    }
    count += page.records.length
    const isCut = page.next === undefined && isCutAt(profile.keysPageSize, count, page.records, profile)
    const named: string | undefined = isCut ? skipping(first, count) : page.next
    const range: string | undefined = named?.includes('$skip=') ? rangeBehind(run, page) : undefined
    const stalled = progress.add(url, { ...page, next: range ?? named })
    if (stalled !== undefined && instead !== undefined) {
      // The server ignores the range, and may skip by number.
      await abilities.learn({ keyRanges: 'refused' })
      ;[url, instead] = [instead, undefined]
      continue
    }
    yield { records: page.records, brokenOff: stalled }
    if (stalled !== undefined) return
    if (range !== undefined || isCut) [first, count] = [range ?? named!, 0]
    instead = range === undefined ? undefined : named
    url = range ?? named
  }
}

/** The address of the keys behind those of the page. undefined: the server does not allow it, or does not sort. */
function rangeBehind({ settings, profile, abilities }: FeedRun, page: FeedPage): string | undefined {
  if (!profile.sorts || abilities.current.keyRanges === 'refused') return undefined
  const behindKey = page.records.map((record) => literalOf(record)).findLast(Boolean)
  return behindKey && queryUrl(settings, profile, { keysOnly: true, behindKey })
}
