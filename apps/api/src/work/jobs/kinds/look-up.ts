// Looks up one entry of a job: a URL, an address, or a zpid. The result is one record, several records (the units of a building), or a
// failure of this entry. An entry's failure does not fail the job.

import type { Property } from '@lotline/contract'
import {
  type CachedRecord,
  type FoundRecord,
  isCached,
  LookupBudgetExceeded,
} from '../../../data/record-cache.ts'
import {
  type BuildingListings,
  type DataSource,
  ProviderFailure,
  ProviderTimeout,
} from '../../../data/sources.ts'
import { parseAddress } from '../../../domain/address.ts'
import { type SourceRecord, type StatusPreference, zpidText } from '../../../domain/record.ts'
import { parseListingUrl } from '../../../domain/site-urls.ts'
import { DatabaseUnavailable } from '../../../infrastructure/database.ts'
import { isRefusal } from '../../../infrastructure/refusals.ts'
import { Stopping } from '../../loop/lease.ts'
import { cutInput, type FailureReason } from '../failure-reasons.ts'
import type { UnitsToExtract } from '../job.ts'
import type { JobRun } from '../run/run.ts'
import type { FailedEntry, NewRow } from '../store/checkpoint.ts'

export interface LookupEntry {
  readonly by: 'url' | 'address' | 'zpid'
  readonly text: string
  /** The entry's name in rows and failures. Default: its text. */
  readonly input?: string
}

export interface LookUpRules {
  readonly prefer: StatusPreference
  /** How buildings are handled. */
  readonly units: UnitsToExtract
}

export type LookedUp =
  | {
      readonly rows: readonly NewRow[]
      /** The cached copy behind the row. If an import has replaced the copy, the entry is looked up again. */
      readonly cached?: CachedRecord
    }
  | { readonly failure: Omit<FailedEntry, 'position'> }
  /** Milliseconds until the account may make another failed lookup. The entry was not looked up. */
  | { readonly waitMs: number }

/** Throws only errors that the entry did not cause. */
export async function lookUp(run: JobRun, entry: LookupEntry, rules: LookUpRules): Promise<LookedUp> {
  const input = entry.input ?? entry.text
  try {
    const found = await run.ask({ essential: false }, () => find(run, entry, rules))
    if (typeof found === 'string') return { failure: { input: cutInput(input), reason: found } }
    if ('json' in found) {
      const row = rowOf(found.json.toString(), found.zpid, { input, source: found.origin })
      return { rows: [row], ...(isCached(found) && { cached: found }) }
    }
    // There is no record and no failure: the building is known and has no such units. The query is not charged.
    if (!found.parent && found.units.length === 0) await run.tools.budget?.charge(run.job.accountId, run)
    // A building's own record is free beside its units. Without units it is charged like any other record.
    const isFree = found.units.length > 0
    const { of } = run.tools.sources.describeBuilding(found, new Date())
    const ownRow = (record: Property) =>
      rowOf(JSON.stringify(record), zpidText(record), { input, source: of(zpidText(record)) })
    const parent = found.parent ? [{ ...ownRow(found.parent), charged: !isFree }] : []
    return { rows: [...parent, ...found.units.map(ownRow)] }
  } catch (error) {
    run.signal.throwIfAborted()
    if (error instanceof DatabaseUnavailable || error instanceof Stopping) throw error
    if (error instanceof LookupBudgetExceeded) return { waitMs: error.retryAfterMs }
    const reason = reasonOf(run, error)
    // The provider was not queried. A failure of the service does not count as a failed lookup.
    if (reason !== 'internal_error') await run.tools.budget?.charge(run.job.accountId, run)
    return { failure: { input: cutInput(input), reason } }
  }
}

type LookupMatch = FoundRecord | CachedRecord | BuildingListings

/** Returns the match, or the reason why there is none. */
async function find(
  run: JobRun,
  entry: LookupEntry,
  { prefer, units }: LookUpRules,
): Promise<LookupMatch | FailureReason> {
  const { provider, records, sites } = run.tools
  const { asking } = run
  const keep = (listing: SourceRecord | undefined, otherwise: FailureReason) =>
    listing ? records.keep(listing, prefer, asking) : otherwise

  switch (entry.by) {
    case 'zpid':
      return (await records.findPreferred(entry.text, prefer, asking)) ?? 'unknown_zpid'
    case 'address': {
      const address = parseAddress(entry.text)
      if (isRefusal(address)) return 'unreadable'
      const match = await provider.findByAddress(address, prefer, asking)
      if (match.found === 'several') return 'ambiguous_address'
      return keep(match.found === 'one' ? match.listing : undefined, 'unknown_address')
    }
    case 'url': {
      const listing = parseListingUrl(entry.text, sites)
      if (isRefusal(listing)) return 'unreadable'
      const nothing = 'unknown_url'
      if (listing.kind === 'home')
        return (await records.findPreferred(listing.zpid, prefer, asking)) ?? nothing
      if (units === 'disabled') {
        return keep(await provider.findByUrl(listing, prefer, asking), 'building_without_record')
      }
      return (await provider.findUnits(listing, units, asking)) ?? nothing
    }
  }
}

interface RowFields {
  /** The `input` field of a row: the entry. */
  readonly input: string
  readonly source: DataSource | undefined
}

/**
 * Inserts the entry and the source in front of the record's JSON text. Parsing and printing the record again would take most of the time.
 */
function rowOf(record: string, zpid: string, { input, source }: RowFields): NewRow {
  const fields = { input, ...(source && { source }) }
  const body = Object.keys(fields).some((name) => hasOwnField(record, name))
    ? JSON.stringify({ ...(JSON.parse(record) as object), ...fields })
    : `${JSON.stringify(fields).slice(0, -1)},${record.slice(1)}`
  return { body, zpid, charged: true }
}

/** Whether the JSON text of an object has a field of this name at its top level. */
function hasOwnField(json: string, name: string): boolean {
  const field = `"${name}":`
  if (!json.includes(field)) return false
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const character = json[at]
    if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    else if (character === '"') {
      if (depth === 1 && json.startsWith(field, at)) return true
      at = endOfText(json, at)
    }
  }
  return false
}

/** The index of the closing quote of the JSON string that begins at `from`. */
function endOfText(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let backslashes = 0
    while (json[at - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return at
  }
  return json.length
}

function reasonOf(run: JobRun, error: unknown): FailureReason {
  if (error instanceof ProviderTimeout) return 'upstream_timeout'
  if (error instanceof ProviderFailure) return 'upstream_error'
  run.tools.log.error({ job: run.job.jobId, err: error }, 'an entry of the job failed unexpectedly')
  return 'internal_error'
}
