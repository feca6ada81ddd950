// An import with `--merge`: a row changes only the fields that it has. Rows are read in groups. Before a group is judged, the records that
// its rows change are read with one query: the stored ones, and those that earlier rows of the same import have staged. So a row that
// repeats a home merges onto the row before it, and memory use does not depend on the length of the files.
// Why: decisions/data/merged-rows.md

import { isObject, readZpid } from '../../domain/record.ts'
import { readFlag } from '../../domain/reso.ts'
import type { Queryable } from '../../infrastructure/database.ts'
import { checkRecord } from '../listings/check-record.ts'
import type { RecordWarning } from '../listings/record-warnings.ts'
import { type Restriction, statedIn } from '../rights/row-rights.ts'
import type { RowVerdict } from './judge-row.ts'
import { mergeRecords, withoutEmpty } from './merge-records.ts'
import { contentOf, type SourceRow } from './source-row.ts'

// The staging table has no index before all rows were staged, because an import that replaces never reads it earlier.
const INDEX = 'create index on staged (zpid, position desc)'

// A home may be in both tables: then the staged row is later.
const FIND = `
  select g.zpid, coalesce(s.record, l.record) as record, coalesce(s.source, l.source) as source, w.what
  from unnest($1::text[]) as g (zpid)
  left join lateral (select record, source from staged where staged.zpid = g.zpid order by position desc limit 1) as s on true
  left join listings l on l.zpid = g.zpid
  left join withheld_homes w on w.zpid = g.zpid`

/** The home before a row changes it. */
interface MergeBase {
  /** JSON of its record. undefined: nothing is stored. */
  readonly record: string | undefined
  /** The source that the home belongs to, and keeps. */
  readonly source: string | undefined
  /** The part of the home that may not be shown. A row that states no rights cannot lift it. */
  readonly forbidden: Restriction | undefined
}

interface FoundBase {
  readonly zpid: string
  readonly record: string | null
  readonly source: string | null
  readonly what: Restriction | null
}

const UNKNOWN: MergeBase = { record: undefined, source: undefined, forbidden: undefined }

export class RowMerger {
  readonly #tx: Queryable
  /** The homes of the group that is being judged. */
  #bases = new Map<string, MergeBase>()
  /** Homes of accepted rows that were not sent to the database yet. */
  #unsent = new Map<string, MergeBase>()
  /** Homes that rows of this import forbid to show, without being usable themselves. */
  readonly #forbidden = new Map<string, Restriction>()

  private constructor(tx: Queryable) {
    this.#tx = tx
  }

  /** The staging table must exist and be empty. */
  static async create(tx: Queryable): Promise<RowMerger> {
    await tx.query(INDEX)
    return new RowMerger(tx)
  }

  /** The same groups of rows. The records that a group changes are read before it is yielded. */
  async *withBases(groups: AsyncIterable<readonly SourceRow[]>): AsyncGenerator<readonly SourceRow[]> {
    for await (const rows of groups) {
      await this.#load(rows)
      yield rows
    }
  }

  /**
   * Judges a row that was merged onto the record of its home.
   *
   * @param source the source of the row. A home that is stored keeps its own
   */
  judge(
    row: SourceRow,
    source: string,
    judgeRow: (row: SourceRow, source: string) => RowVerdict,
  ): RowVerdict {
    const content = contentOf(row)
    const zpid = isObject(content) ? readZpid(content.zpid) : undefined
    if (zpid === undefined || !isObject(content) || 'fault' in row)
      return this.#note(judgeRow(row, source), zpid)
    const base = this.#bases.get(zpid) ?? UNKNOWN
    const forbidden = this.#forbidden.get(zpid) ?? base.forbidden
    const permits = permissionsIn(row, content)
    if (forbidden === 'listing' && !permits.listing) {
      const verdict = judgeRow({ ...row, record: content }, source)
      if (verdict.verdict === 'withhold' || verdict.verdict === 'reject') return this.#note(verdict, zpid)
      return { verdict: 'reject', fault: FORBIDDEN, restriction: undefined }
    }
    const stored = base.record === undefined ? {} : (JSON.parse(base.record) as Record<string, unknown>)
    if (forbidden === 'address') stored.isUndisclosedAddress = true
    if (permits.address) delete stored.isUndisclosedAddress
    const { fields, dropped } = usableFields(withoutEmpty(content), zpid)
    const record = { ...mergeRecords(stored, fields), zpid }
    const verdict = judgeRow({ ...row, record }, base.source ?? source)
    return this.#note(
      'listing' in verdict ? { ...verdict, warnings: [...dropped, ...verdict.warnings] } : verdict,
      zpid,
    )
  }

  /** Must be called when all rows that were accepted so far have been sent to the database. */
  sent(): void {
    this.#unsent = new Map()
  }

  #note(verdict: RowVerdict, zpid: string | undefined): RowVerdict {
    if ('listing' in verdict) {
      const { zpid, record, source } = verdict.listing
      const base: MergeBase = { record, source, forbidden: undefined }
      this.#bases.set(zpid, base)
      this.#unsent.set(zpid, base)
      this.#forbidden.delete(zpid)
    } else if (zpid !== undefined && verdict.restriction !== undefined) {
      const before = this.#forbidden.get(zpid)
      this.#forbidden.set(zpid, before === 'listing' ? before : verdict.restriction.what)
    }
    return verdict
  }

  async #load(rows: readonly SourceRow[]): Promise<void> {
    this.#bases = new Map()
    const wanted = new Set<string>()
    for (const row of rows) {
      const content = contentOf(row)
      const zpid = isObject(content) ? readZpid(content.zpid) : undefined
      if (zpid === undefined) continue
      const unsent = this.#unsent.get(zpid)
      if (unsent) this.#bases.set(zpid, unsent)
      else wanted.add(zpid)
    }
    if (wanted.size === 0) return
    const found = await this.#tx.query<FoundBase>(FIND, [[...wanted]], { name: 'import_merge' })
    for (const { zpid, record, source, what } of found.rows) {
      this.#bases.set(zpid, {
        record: record ?? undefined,
        source: source ?? undefined,
        // A stored home was stored with the rights of its own rows.
        forbidden: record === null ? (what ?? undefined) : undefined,
      })
    }
  }
}

const FORBIDDEN =
  'changes a home that may not be shown, and does not say that it may. To show it again, give its rights in the row'

/** The permissions that a row states by a plain value. An empty cell permits nothing new. */
function permissionsIn(row: SourceRow, content: Record<string, unknown>) {
  const stated = row.rights ?? statedIn(content) ?? {}
  const isYes = (values: readonly unknown[] = []) =>
    values.length > 0 && values.every((value) => readFlag(value) === true)
  const uses = (stated.MlgCanUse ?? []).flat().filter((use) => typeof use === 'string' && use.trim() !== '')
  return {
    listing: isYes(stated.InternetEntireListingDisplayYN) || isYes(stated.MlgCanView) || uses.length > 0,
    address: isYes(stated.InternetAddressDisplayYN),
  }
}

/** A wrong value of a row must not remove the stored one: it is taken out of the row, with its warning. */
function usableFields(
  fields: Record<string, unknown>,
  zpid: string,
): { readonly fields: Record<string, unknown>; readonly dropped: readonly RecordWarning[] } {
  const judged = ['price', 'latitude', 'longitude'].filter((name) => (fields[name] ?? null) !== null)
  if (judged.length === 0) return { fields, dropped: [] }
  const alone: Record<string, unknown> = {
    zpid,
    ...Object.fromEntries(judged.map((name) => [name, fields[name]])),
  }
  const checked = checkRecord(alone)
  const wrong = judged.filter((name) => alone[name] === null)
  // The fault of a row that cannot be read is found again in the merged record.
  if ('fault' in checked || wrong.length === 0) return { fields, dropped: [] }
  const usable = Object.fromEntries(Object.entries(fields).filter(([name]) => !wrong.includes(name)))
  return { fields: usable, dropped: checked.warnings.filter(({ code }) => DROPPED.has(code)) }
}

const DROPPED: ReadonlySet<string> = new Set(['negative_price', 'zero_position', 'swapped_position'])
