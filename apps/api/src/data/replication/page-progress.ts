// Whether reading page after page still brings records that were not read before. It ends every read of a server whose pages never end:
// one that ignores `$skip`, alternates empty and full pages, or names the same pages again under other addresses.

import { createHash } from 'node:crypto'
import type { FeedPage, FeedRecord } from './reso-feed.ts'
import { FeedFailure } from './upstream.ts'

/** More pages in a row without a new record end the read. */
const MAX_PAGES_WITHOUT_NEW = 2
/** The size of the set of records that were read: 4 MB, however long a feed is. */
const SET_BITS = 2 ** 25

/** Follows the pages of one read. */
export class PageProgress {
  readonly #addresses = new Set<string>()
  readonly #seen = new SeenRecords()
  #empty = 0
  #withoutNew = 0

  /**
   * Adds a page. Returns why the read must not take the next page, as the end of a sentence about the server. undefined: it may, or there
   * is none.
   */
  add(url: string, { records, next }: Pick<FeedPage, 'records' | 'next'>): string | undefined {
    this.#addresses.add(url)
    const added = this.#seen.add(records)
    if (next === undefined) return undefined
    if (added === 0 && records.length > 0 && url.includes('$skip=')) {
      return 'sent the same page again when it was asked to skip its records'
    }
    if (this.#addresses.has(next)) return 'named a page as the next one that was read before'
    this.#empty = records.length === 0 ? this.#empty + 1 : 0
    if (this.#empty >= 2) return 'sent two empty pages in a row, and names a further one'
    this.#withoutNew = added === 0 ? this.#withoutNew + 1 : 0
    if (this.#withoutNew <= MAX_PAGES_WITHOUT_NEW) return undefined
    return `sent ${this.#withoutNew} pages in a row without a new record, and names a further one`
  }

  /** @throws {FeedFailure} when the read must not take the next page */
  check(url: string, page: Pick<FeedPage, 'records' | 'next'>, origin: string): void {
    const reason = this.add(url, page)
    if (reason !== undefined) throw new FeedFailure(`${origin} ${reason}`)
  }
}

/**
 * A Bloom filter of the records. It may take a new record for a known one: with 2 million records, in fewer than 1 of 100 cases. So only
 * whole pages without a new record count, several in a row.
 */
class SeenRecords {
  #bits: Uint8Array | undefined

  /** Returns how many of the records are new. A record that has changed is new. */
  add(records: readonly FeedRecord[]): number {
    if (records.length === 0) return 0
    this.#bits ??= new Uint8Array(SET_BITS / 8)
    const bits = this.#bits
    let added = 0
    for (const record of records) {
      const digest = createHash('md5').update(identify(record)).digest()
      let isNew = false
      for (let at = 0; at < 16; at += 4) {
        const bit = digest.readUInt32LE(at) % SET_BITS
        const [byte, mask] = [bit >>> 3, 1 << (bit & 7)]
        if ((bits[byte]! & mask) === 0) isNew = true
        bits[byte]! |= mask
      }
      if (isNew) added += 1
    }
    return added
  }
}

/** The scalar values: the key and the time of change are among them, whichever resource it is. Media and texts cost more than they tell. */
function identify(record: FeedRecord): string {
  const key = Object.entries(record).flatMap(([name, value]) =>
    /Key(?:Numeric)?$|Timestamp$/.test(name) && typeof value !== 'object' ? [name, String(value)] : [],
  )
  return key.length === 0 ? JSON.stringify(record) : key.join('\n')
}
