// Notes which stored homes the rows of an import forbid to show, until all rows were read. The notes are rows of a temporary table, in a
// separate transaction on another connection: they use no memory, and outlive the transaction of an import that fails. The restrictions are
// then applied nevertheless. An import without restrictions opens no such transaction.
// Why: decisions/data/failed-import-still-restricts.md
// Why: decisions/data/restrictions-hold-in-rejected-rows.md

import { type Database, keysetPages, type Queryable } from '../../infrastructure/database.ts'
import { unlinkHomes } from '../listings/link-homes.ts'
import { createStage, lockImports, unstageHomes } from '../listings/stage-listings.ts'
import type { Restriction } from './row-rights.ts'
import { bySource, hideStoredAddresses, withholdHomes } from './withhold-homes.ts'

// A usable row permits what earlier rows of its home forbid. It is noted only if there may be such rows, or if it is stored without its
// address: its restriction must hold even if the import fails.
const CREATE = `
  set local idle_in_transaction_session_timeout = 0;
  create temporary table noted (
    n bigint not null, zpid text not null, source text not null, what smallint not null, plain smallint not null,
    is_used boolean not null
  ) on commit drop`

const NOTE = `
  insert into noted (n, zpid, source, what, plain, is_used)
    select $1::bigint + at, zpid, source, what, plain, is_used
    from unnest($2::text[], $3::text[], $4::smallint[], $5::smallint[], $6::boolean[])
      with ordinality as given (zpid, source, what, plain, is_used, at)`

// `what` is what rows that cannot be used forbid, and `plain` is what all rows forbid by values that are understood.
const COMPLETE = `
  create temporary table restricted on commit drop as
    select zpid, (array_agg(source order by what desc, n desc))[1] as source,
      coalesce(max(what) filter (where not is_used), 0) as what, max(plain) as plain
    from (select *, max(n) filter (where is_used) over (partition by zpid) as used from noted) as note
    where used is null or n >= used
    group by zpid having max(what) > 0;
  create unique index on restricted (zpid);
  analyze restricted`

/** The restrictions as numbers in the tables. A higher number forbids more. */
const LEVELS = { address: 1, listing: 2 } as const satisfies Record<Restriction, number>

const PAGE = (column: 'what' | 'plain') => `
  select zpid, source from restricted r where ${column} = $1 and zpid > $2 order by zpid limit 5000`

// Skips homes that are hidden already, so that they are not read each time the same file fails.
const PAGE_SHOWN = `
  select zpid, source from restricted r
  where plain = $1 and zpid > $2 and (
    exists (select from listings l where l.zpid = r.zpid and not l.address_hidden)
    or exists (select from removed_listings m where m.zpid = r.zpid))
  order by zpid limit 5000`

const IS_ANY_STORED =
  'select exists (select from restricted join listings using (zpid) where what > 0) as found'

const COUNT_UNREAD = `
  with unread as (
    select zpid, l.source from restricted r join listings l using (zpid)
    where r.what > r.plain and (r.what = ${LEVELS.listing} or not l.address_hidden)
  )
  select l.source, count(*) filter (where l.kind <> 'off_market' or u.zpid is not null) as homes, count(u.zpid) as unread
  from listings l left join unread u using (zpid)
  where l.source in (select source from unread)
  group by l.source order by l.source`

// The restriction holds for the home whichever source provided it last, because an import of the row would take the home over. A home that
// was never stored needs no note. The zpid of each home is also a key of its source.
const FIND_OWNERS = `
  select g.zpid, coalesce(l.source, g.source) as source
  from unnest($1::text[], $2::text[]) as g (zpid, source) left join listings l on l.zpid = g.zpid
  where l.zpid is not null or exists (
    select from record_identities i where i.source = g.source and i.source_key = g.zpid and i.zpid = g.zpid)`

const NOTES_AT_A_TIME = 1_000
/** One bit for each hash, 1 MB in total. */
const SEEN_BITS = 2 ** 23

interface Note {
  readonly zpid: string
  readonly source: string
  readonly what: number
  readonly plain: number
  readonly isUsed: boolean
}

/** The changes that a failed import has made nevertheless. */
export interface FollowedRestrictions {
  /** Homes that were removed. */
  readonly removed: number
  /** Homes that lost their address. */
  readonly hidden: number
}

/** Stored homes of a source that values which are not understood would remove or hide. */
export interface UnreadHomes {
  readonly source: string
  /** All homes of the source that are on the market, including these. */
  readonly homes: number
  readonly unread: number
}

export interface FollowOptions {
  /** Whether the restrictions are applied if the import fails with this error. Default: yes. */
  readonly follows?: (error: unknown) => boolean
  /** Runs in the transaction that applies the restrictions. */
  readonly beforeCommit?: (tx: Queryable, followed: FollowedRestrictions) => Promise<void>
}

/**
 * Runs an import. If it fails, the restrictions of the rows that were read are applied nevertheless, as far as they rest on values that are
 * understood: homes are removed or hidden in a separate transaction, after that of the import. The message of the error then has the
 * numbers.
 */
export async function withRestrictedHomes<T>(
  database: Database,
  run: (restricted: RestrictedHomes) => Promise<T>,
  { follows = () => true, beforeCommit = async () => {} }: FollowOptions = {},
): Promise<T> {
  const restricted = new RestrictedHomes(database)
  try {
    return await run(restricted)
  } catch (error) {
    if (!restricted.isEmpty && follows(error) && error instanceof Error) {
      error.message = await restricted.follow(beforeCommit).then(
        (followed) => withFollowed(error.message, followed),
        // Messages of other errors may quote values.
        (reason: unknown) =>
          `${error.message} The restrictions of its rows could not be applied: ${(reason as Error).name}.`,
      )
    }
    throw error
  } finally {
    await restricted.close()
  }
}

export const UNCHANGED = 'Nothing was changed.'

function withFollowed(message: string, { removed, hidden }: FollowedRestrictions): string {
  if (removed + hidden === 0) return message
  const followed = `Rows that were read forbid to show stored homes: removed ${removed}, hid the address of ${hidden}.`
  return message.includes(UNCHANGED)
    ? message.replace(UNCHANGED, `${followed} Nothing else was changed.`)
    : `${message}${/[.!?]$/.test(message) ? '' : '.'} ${followed}`
}

/** The restrictions of one import. Order matters: the last usable row of a home permits what earlier rows forbid. */
export class RestrictedHomes {
  readonly #database: Database
  readonly #ended = Promise.withResolvers<void>()
  #transaction: Promise<void> | undefined
  #tx: Promise<Queryable> | undefined
  #waiting: Note[] = []
  #sent: Promise<unknown> = Promise.resolve()
  /** The number of notes. */
  #count = 0
  /** Notes by rows that cannot be used, and notes by values that are not understood. */
  #forbidding = 0
  #unread = 0
  #isComplete = false
  #seen: Uint32Array | undefined

  constructor(database: Database) {
    this.#database = database
    // The promise may be rejected although no transaction was begun.
    this.#ended.promise.catch(() => {})
  }

  /** Whether there are no notes. */
  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** Whether a row that cannot be used forbids anything. */
  get forbids(): boolean {
    return this.#forbidding > 0
  }

  get isFull(): boolean {
    return this.#waiting.length >= NOTES_AT_A_TIME
  }

  /**
   * Notes a restriction by a row that cannot be used. A later row of this kind does not lift it.
   *
   * @param plain the restriction by values that are understood
   */
  forbid(zpid: string, source: string, what: Restriction, plain: Restriction | undefined): void {
    this.#forbidding += 1
    if (plain !== what) this.#unread += 1
    this.#note({ zpid, source, what: LEVELS[what], plain: plain ? LEVELS[plain] : 0, isUsed: false })
  }

  /** Notes that a row is usable, and is stored with or without its address. */
  use(zpid: string, source: string, isAddressHidden: boolean): void {
    const level = isAddressHidden ? LEVELS.address : 0
    if (isAddressHidden || this.#mayBeNoted(zpid))
      this.#note({ zpid, source, what: level, plain: level, isUsed: true })
  }

  /** Sends the notes, without waiting until they are written. */
  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return
    const tx = await this.#begun()
    await this.#sent
    const notes = this.#waiting
    this.#waiting = []
    this.#sent = tx.query(NOTE, [
      this.#count - notes.length,
      notes.map(({ zpid }) => zpid),
      notes.map(({ source }) => source),
      notes.map(({ what }) => what),
      notes.map(({ plain }) => plain),
      notes.map(({ isUsed }) => isUsed),
    ])
    // Awaited later: until then a failure must not count as unhandled.
    this.#sent.catch(() => {})
  }

  /** Whether the data set has one of the homes that unusable rows forbid to show. */
  async isAnyStored(): Promise<boolean> {
    const { rows } = await (await this.#completed()).query<{ found: boolean }>(IS_ANY_STORED)
    return rows[0]!.found
  }

  /** The stored homes, by source, that only values which are not understood would remove or hide. */
  async countUnread(): Promise<readonly UnreadHomes[]> {
    if (this.#unread === 0) return []
    return (await (await this.#completed()).query<UnreadHomes>(COUNT_UNREAD)).rows
  }

  /**
   * Removes the homes that may not be shown at all, in the transaction of the import and before its staged rows are moved. Returns how many
   * homes were removed.
   */
  async withhold(tx: Queryable): Promise<number> {
    return withholdPages(tx, this.#pages(PAGE('what'), LEVELS.listing))
  }

  /** Removes the addresses of stored homes whose address alone may not be shown, after the staged rows were moved. */
  async hideAddresses(tx: Queryable): Promise<number> {
    return hidePages(tx, this.#pages(PAGE('what'), LEVELS.address))
  }

  /**
   * Removes and hides the homes that values which are understood forbid to show, after the transaction of the import has ended, and
   * commits.
   */
  async follow(beforeCommit: NonNullable<FollowOptions['beforeCommit']>): Promise<FollowedRestrictions> {
    try {
      const tx = await this.#completed()
      await lockImports(tx)
      await createStage(tx)
      const followed = {
        removed: await withholdPages(tx, this.#pages(PAGE('plain'), LEVELS.listing)),
        hidden: await hidePages(tx, this.#pages(PAGE_SHOWN, LEVELS.address)),
      }
      if (followed.removed + followed.hidden > 0) await beforeCommit(tx, followed)
      this.#ended.resolve()
      await this.#transaction
      return followed
    } catch (error) {
      this.#ended.reject(error)
      throw error
    }
  }

  /** Drops the notes. */
  async close(): Promise<void> {
    await this.#sent.catch(() => {})
    this.#ended.resolve()
    await this.#transaction?.catch(() => {
      // There is nothing left to keep.
    })
  }

  #note(note: Note): void {
    this.#count += 1
    this.#waiting.push(note)
    this.#seen ??= new Uint32Array(SEEN_BITS / 32)
    const bit = bitOf(note.zpid)
    this.#seen[bit >>> 5]! |= 1 << (bit & 31)
  }

  /** False: there is certainly no note about the home. */
  #mayBeNoted(zpid: string): boolean {
    if (this.#seen === undefined) return false
    const bit = bitOf(zpid)
    return (this.#seen[bit >>> 5]! & (1 << (bit & 31))) !== 0
  }

  #begun(): Promise<Queryable> {
    let hasBegun = false
    this.#tx ??= new Promise((resolve, reject) => {
      this.#transaction = this.#database.transaction(
        async (tx) => {
          await tx.query(CREATE)
          hasBegun = true
          resolve(tx)
          await this.#ended.promise
        },
        { statementTimeoutMs: 0 },
      )
      this.#transaction.catch((error) => {
        // If no connection was free, nothing is lost: the transaction may begin later.
        if (!hasBegun) this.#tx = undefined
        reject(error)
      })
    })
    return this.#tx
  }

  /** The transaction of the notes, after all notes are written and combined. */
  async #completed(): Promise<Queryable> {
    await this.flush()
    await this.#sent
    const tx = await this.#begun()
    if (!this.#isComplete) await tx.query(COMPLETE)
    this.#isComplete = true
    return tx
  }

  async *#pages(query: string, level: number): AsyncGenerator<readonly NotedHome[]> {
    const tx = await this.#completed()
    yield* keysetPages(
      '',
      ({ zpid }) => zpid,
      async (last) => (await tx.query<NotedHome>(query, [level, last])).rows,
    )
  }
}

interface NotedHome {
  readonly zpid: string
  readonly source: string
}

async function withholdPages(tx: Queryable, pages: AsyncIterable<readonly NotedHome[]>): Promise<number> {
  let removed = 0
  for await (const homes of pages) {
    const zpids = homes.map(({ zpid }) => zpid)
    await unstageHomes(tx, zpids)
    const { rows } = await tx.query<NotedHome>(FIND_OWNERS, [zpids, homes.map(({ source }) => source)])
    for (const [owner, owned] of bySource(rows)) removed += await withholdHomes(tx, owner, owned)
    await unlinkHomes(
      tx,
      rows.map(({ zpid }) => zpid),
    )
  }
  return removed
}

async function hidePages(tx: Queryable, pages: AsyncIterable<readonly NotedHome[]>): Promise<number> {
  let hidden = 0
  for await (const homes of pages) {
    hidden += await hideStoredAddresses(
      tx,
      homes.map(({ zpid }) => zpid),
    )
  }
  return hidden
}

/** FNV-1a of the text, as the number of a bit. */
function bitOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) & (SEEN_BITS - 1)
}
