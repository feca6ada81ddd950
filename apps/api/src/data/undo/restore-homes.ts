// Puts back the homes that an import has replaced, the same way as an import stores homes: their generations rise, the change log has a row
// for each, and their identities stay. A home or address that a right forbids to show stays removed or hidden.

import { object, type UncheckedFields, withoutAddress } from '../../domain/record.ts'
import { keysetPages, type Queryable } from '../../infrastructure/database.ts'
import { checkRecord } from '../listings/check-record.ts'
import { deleteListings } from '../listings/delete-listings.ts'
import { type HomeParcel, linkHomes, parcelOf, unlinkHomes } from '../listings/link-homes.ts'
import { ListingBatch } from '../listings/listing-batch.ts'
import { handOnReplaced } from '../listings/replaced-listings.ts'
import { createStage, dropStage, moveStaged, storeBatch } from '../listings/stage-listings.ts'
import { toColumns } from '../sources/dataset/listing-columns.ts'

/** The homes of an undone import. The sum is the number of homes that the import had changed. */
export interface RestoredHomes {
  /** Homes that are as they were before the import. */
  readonly restored: number
  /** Of these: homes that the import had inserted, and that were removed. */
  readonly removed: number
  /** Homes that a later import has changed. They stay as they are. */
  readonly changedLater: number
  /** Homes that a right forbids to show. They stay removed. */
  readonly withheld: number
  /** The first homes that a later import has changed. */
  readonly changedLaterZpids: readonly string[]
  /** All homes that stay as they are. */
  readonly left: ReadonlySet<string>
}

/** The homes to put back, in a table that the transaction drops: what was kept, and why a home is left as it is. */
const COLLECT = `
  create temporary table undone on commit drop as
    select r.zpid, r.source, r.record,
      (select min(later.import_id) from replaced_listings later where later.zpid = r.zpid and later.import_id > r.import_id)
        as changed_by,
      r.is_withheld or exists (select from withheld_homes w where w.zpid = r.zpid and w.what = 'listing') as is_withheld,
      -- A right hides the address of a home that is stored without it now.
      exists (select from withheld_homes w where w.zpid = r.zpid and w.what = 'address')
        or exists (select from listings l where l.zpid = r.zpid and l.source = r.source and l.address_hidden) as hides_address
    from replaced_listings r where r.import_id = $1;`
const INDEX = 'create unique index on undone (zpid); analyze undone'

const COUNT = `
  select count(*) filter (where changed_by is null and not is_withheld) as restored,
    count(*) filter (where changed_by is null and not is_withheld and record is null and exists (
      select from listings l where l.zpid = u.zpid)) as removed,
    count(*) filter (where changed_by is not null) as later,
    count(*) filter (where changed_by is null and is_withheld) as withheld,
    (array_agg(zpid order by zpid) filter (where changed_by is not null))[1:20] as zpids
  from undone u`

const LEFT = 'select zpid from undone where changed_by is not null or is_withheld'

const PAGE = `
  select zpid, source, record, hides_address as "hidesAddress" from undone
  where changed_by is null and not is_withheld and record is not null and zpid > $1 order by zpid limit 250`

const INSERTED = `
  zpid in (select zpid from undone where changed_by is null and not is_withheld and record is null)`

interface KeptHome {
  readonly zpid: string
  readonly source: string
  readonly record: string
  readonly hidesAddress: boolean
}

/**
 * Restores the homes of an import, in a transaction that holds the lock of imports and is an import of kind `revert`.
 */
export async function restoreHomes(tx: Queryable, importId: number): Promise<RestoredHomes> {
  await tx.query(COLLECT, [importId])
  await tx.query(INDEX)
  const { rows } = await tx.query<{
    restored: number
    removed: number
    later: number
    withheld: number
    zpids: string[] | null
  }>(COUNT)
  const { restored, removed, later, withheld, zpids } = rows[0]!
  await removeInserted(tx)
  await storeKept(tx)
  const { rows: leftRows } = await tx.query<{ zpid: string }>(LEFT)
  await handOnReplaced(tx, importId)
  return {
    restored,
    removed,
    changedLater: later,
    withheld,
    changedLaterZpids: zpids ?? [],
    left: new Set(leftRows.map(({ zpid }) => zpid)),
  }
}

async function removeInserted(tx: Queryable): Promise<void> {
  const removed = await deleteListings(tx, INSERTED, [])
  await unlinkHomes(
    tx,
    removed.map(({ zpid }) => zpid),
  )
}

async function storeKept(tx: Queryable): Promise<void> {
  await createStage(tx)
  const linked: HomeParcel[] = []
  const hidden: string[] = []
  let [at, staged] = [0, 0]
  const read = async (last: string) => (await tx.query<KeptHome>(PAGE, [last])).rows
  for await (const homes of keysetPages('', ({ zpid }: KeptHome) => zpid, read)) {
    const batch = new ListingBatch()
    for (const home of homes) {
      const record = recordOf(home)
      // Without its address, the home cannot be stored: it stays as it is now.
      if (record === undefined) continue
      at += 1
      batch.add(at, toColumns(record, home.source))
      if (home.hidesAddress) hidden.push(home.zpid)
      else linked.push({ zpid: home.zpid, parcel: parcelOf(record as unknown as UncheckedFields) })
    }
    if (batch.size === 0) continue
    staged += batch.size - (await storeBatch(tx, batch))
  }
  await moveStaged(tx, staged, () => {}, 0)
  await dropStage(tx)
  await relink(tx, linked)
  await unlinkHomes(tx, hidden)
}

function recordOf({ record, hidesAddress }: KeptHome) {
  const stored = JSON.parse(record)
  if (!hidesAddress) return stored as ReturnType<typeof JSON.parse>
  const checked = checkRecord(withoutAddress(object(stored)!))
  return 'fault' in checked ? undefined : checked.record
}

const LINKED_AT_A_TIME = 1_000
// Only feeds link their homes.
const OF_FEEDS = `
  select zpid from listings l where zpid = any ($1) and exists (
    select from connected_sources s where s.name = l.source and s.kind = 'reso')`

async function relink(tx: Queryable, homes: readonly HomeParcel[]): Promise<void> {
  for (let from = 0; from < homes.length; from += LINKED_AT_A_TIME) {
    const some = homes.slice(from, from + LINKED_AT_A_TIME)
    const { rows } = await tx.query<{ zpid: string }>(OF_FEEDS, [some.map(({ zpid }) => zpid)])
    const ofFeeds = new Set(rows.map(({ zpid }) => zpid))
    await linkHomes(
      tx,
      some.filter(({ zpid }) => ofFeeds.has(zpid)),
    )
  }
}
