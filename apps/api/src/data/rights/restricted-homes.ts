// What the rows of an import forbid to show of homes that are stored already, kept until all rows were read. The notes are rows of a
// temporary table in a transaction of their own, on another connection: memory does not grow with them, and they outlive the
// transaction of an import that fails. What they forbid is then followed nevertheless. An import that forbids nothing opens no
// transaction.
// Why: decisions/data/failed-import-still-restricts.md
// Why: decisions/data/restrictions-hold-in-rejected-rows.md

import { type Database, keysetPages, type Queryable } from '../../infrastructure/database.ts'
import { unlinkHomes } from '../listings/link-homes.ts'
import { createStage, lockImports, unstageHomes } from '../listings/stage-listings.ts'
import type { Restriction } from './row-rights.ts'
import { bySource, hideStoredAddresses, withholdHomes } from './withhold-homes.ts'

// A row that can be used permits what earlier rows of its home forbid. It is noted only if there may be such a row, or if its home is
// stored without its address: what the row says must hold also if the import fails.
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

// `what` is forbidden by rows that cannot be used, and `plain` is what all rows forbid by values that are understood.
const COMPLETE = `
  create temporary table restricted on commit drop as
    select zpid, (array_agg(source order by what desc, n desc))[1] as source,
      coalesce(max(what) filter (where not is_used), 0) as what, max(plain) as plain
    from (select *, max(n) filter (where is_used) over (partition by zpid) as used from noted) as note
    where used is null or n >= used
    group by zpid having max(what) > 0;
  create unique index on restricted (zpid);
  analyze restricted`

/** How much is forbidden, as the tables have it. */
const LEVELS = { address: 1, listing: 2 } as const satisfies Record<Restriction, number>

const PAGE = (column: 'what' | 'plain') => `
  select zpid, source from restricted r where ${column} = $1 and zpid > $2 order by zpid limit 5000`

// Homes that are hidden already need not be read each time that the same file fails.
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

// As an import of the row would take the home over, it holds for the home whichever source has brought it last. A home that was
// never stored needs no note. Each home has its zpid as a key of its source.
const FIND_OWNERS = `
  select g.zpid, coalesce(l.source, g.source) as source
  from unnest($1::text[], $2::text[]) as g (zpid, source) left join listings l on l.zpid = g.zpid
  where l.zpid is not null or exists (
    select from record_identities i where i.source = g.source and i.source_key = g.zpid and i.zpid = g.zpid)`

const NOTES_AT_A_TIME = 1_000
/** A bit for each remainder, 1 MB in all. */
const SEEN_BITS = 2 ** 23

interface Note {
  readonly zpid: string
  readonly source: string
  readonly what: number
  readonly plain: number
  readonly isUsed: boolean
}

/** What a failed import has changed nevertheless. */
export interface FollowedRestrictions {
  /** Homes that were removed. */
  readonly removed: number
  /** Homes that lost their address. */
  readonly hidden: number
}

/** Stored homes of a source that values which are not understood would remove or hide. */
export interface UnreadHomes {
  readonly source: string
  /** All homes of the source that are on the market, with those. */
  readonly homes: number
  readonly unread: number
}

export interface FollowOptions {
  /** Whether what the rows forbid is followed if the import fails for this reason. Default: yes. */
  readonly follows?: (error: unknown) => boolean
  /** Part of the transaction that follows it. */
  readonly beforeCommit?: (tx: Queryable, followed: FollowedRestrictions) => Promise<void>
}

/**
 * Runs an import. If it fails, the homes that the rows read so far forbid to show by values that are understood are removed or hidden
 * nevertheless, in a transaction of their own after that of the import. The message of the failure then says how many.
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
          `${error.message} What its rows forbid to show could not be followed: ${(reason as Error).name}.`,
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

/** What the rows of one import forbid. Order matters: the last row of a home that can be used permits what earlier ones forbid. */
export class RestrictedHomes {
  readonly #database: Database
  readonly #ended = Promise.withResolvers<void>()
  #transaction: Promise<void> | undefined
  #tx: Promise<Queryable> | undefined
  #waiting: Note[] = []
  #sent: Promise<unknown> = Promise.resolve()
  /** Notes so far. */
  #count = 0
  /** Of these: by rows that cannot be used, and by values that are not understood. */
  #forbidding = 0
  #unread = 0
  #isComplete = false
  #seen: Uint32Array | undefined

  constructor(database: Database) {
    this.#database = database
    // It may be rejected when no transaction was begun.
    this.#ended.promise.catch(() => {})
  }

  /** Nothing was noted. */
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
   * A row that cannot be used forbids this. A later one of the kind does not permit what it forbids.
   *
   * @param plain what it forbids by values that are understood
   */
  forbid(zpid: string, source: string, what: Restriction, plain: Restriction | undefined): void {
    this.#forbidding += 1
    if (plain !== what) this.#unread += 1
    this.#note({ zpid, source, what: LEVELS[what], plain: plain ? LEVELS[plain] : 0, isUsed: false })
  }

  /** A row can be used, and is stored with or without its address. */
  use(zpid: string, source: string, isAddressHidden: boolean): void {
    const level = isAddressHidden ? LEVELS.address : 0
    if (isAddressHidden || this.#mayBeNoted(zpid))
      this.#note({ zpid, source, what: level, plain: level, isUsed: true })
  }

  /** Writes what was noted, without waiting until it is written. */
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

  /** Whether the data set has one of the homes that rows forbid to show which cannot be used. */
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
   * Removes the homes of which nothing may be shown, in the transaction of the import and before its staged rows are moved. Returns how
   * many the data set had.
   */
  async withhold(tx: Queryable): Promise<number> {
    return withholdPages(tx, this.#pages(PAGE('what'), LEVELS.listing))
  }

  /** Takes the address off the stored homes of which only this may not be shown, after the staged rows were moved. */
  async hideAddresses(tx: Queryable): Promise<number> {
    return hidePages(tx, this.#pages(PAGE('what'), LEVELS.address))
  }

  /** Removes and hides what rows forbid by values that are understood, when the transaction of the import has ended, and commits. */
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

  /** Forgets the notes. */
  async close(): Promise<void> {
    await this.#sent.catch(() => {})
    this.#ended.resolve()
    await this.#transaction?.catch(() => {
      // It has nothing to keep any more.
    })
  }

  #note(note: Note): void {
    this.#count += 1
    this.#waiting.push(note)
    this.#seen ??= new Uint32Array(SEEN_BITS / 32)
    const bit = bitOf(note.zpid)
    this.#seen[bit >>> 5]! |= 1 << (bit & 31)
  }

  /** False: no row of the home was noted. */
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
        // When no connection was free, nothing is lost: it may begin later.
        if (!hasBegun) this.#tx = undefined
        reject(error)
      })
    })
    return this.#tx
  }

  /** The transaction of the notes, when all are written and put together. */
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
