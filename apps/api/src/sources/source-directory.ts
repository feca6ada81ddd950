// What responses that show many records say of their source (`meta.source`): whose data it is, and the notice to show. An
// import records it; here it is kept in memory, so that no search reads it.

import type { Queryable } from '../database/database.ts'
import { attributionText, type DataSource } from '../record/origin.ts'
import type { AreaListings, RowSource } from './provider.ts'

/** For how long what was read counts, in milliseconds. */
const KEPT_MS = 10_000
/** The same where a name is not known. */
const NEW_AFTER_MS = 1_000

/** Of a listing source, as its last import found it. */
interface Description {
  readonly authority: string | null
  readonly notice: string | null
}

export interface SourceDirectory {
  /** The sources of some rows of a search, as responses show them. */
  describe(found: Pick<AreaListings, 'records' | 'sources' | 'provider'>, now: Date): Promise<RowSources>
}

export interface RowSources {
  /** The one source of all rows; undefined: there is none, or there are several. */
  readonly one: DataSource | undefined
  /** Of a row, where there are several sources. */
  of(zpid: string): DataSource | undefined
}

/**
 * @param provider its name, for rows that are of no listing source
 * @param publicName of a source, as clients are shown it
 */
export function createSourceDirectory(
  database: Queryable,
  provider: string,
  publicName: (source: string) => string,
): SourceDirectory {
  let known: ReadonlyMap<string, Description> = new Map()
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    const { rows } = await database.query<Description & { name: string }>(
      'select name, authority, notice from listing_sources',
      [],
      { name: 'describe_sources' },
    )
    known = new Map(rows.map(({ name, ...description }) => [name, description]))
    readAt = performance.now()
  }

  /** A source that was never seen is read within a second; others at most every 10 seconds. */
  async function refresh(names: Iterable<string>): Promise<void> {
    const age = performance.now() - readAt
    if (age < NEW_AFTER_MS || (age < KEPT_MS && [...names].every((name) => known.has(name)))) return
    reading ??= read().finally(() => {
      reading = undefined
    })
    await reading
  }

  function dataSource(name: string, updatedAt: Date | null, now: Date): DataSource {
    const { authority = null, notice = null } = known.get(name) ?? {}
    return {
      name: publicName(name),
      authority,
      fetched_at: now.toISOString(),
      source_updated_at: updatedAt?.toISOString() ?? null,
      attribution: attributionText(null, notice),
    }
  }

  return {
    async describe({ records, sources, provider: answeredBy = provider }, now) {
      if (records.length === 0) return { one: undefined, of: () => undefined }
      if (!sources) return { one: dataSource(answeredBy, null, now), of: () => undefined }
      const rows = records.flatMap(({ zpid }) => sources.get(String(zpid)) ?? [])
      const names = new Set(rows.map(({ name }) => name))
      await refresh(names)
      const [name] = names
      if (names.size === 1 && name !== undefined && rows.length === records.length) {
        return { one: dataSource(name, newest(rows), now), of: () => undefined }
      }
      return {
        one: undefined,
        of(zpid) {
          const source = sources.get(zpid)
          return source && dataSource(source.name, source.updatedAt, now)
        },
      }
    },
  }
}

function newest(rows: readonly RowSource[]): Date | null {
  let latest: Date | null = null
  for (const { updatedAt } of rows) if (updatedAt && (!latest || updatedAt > latest)) latest = updatedAt
  return latest
}
