// Looking up one entry of a job: a URL, an address or a zpid. It has a record, several (the units of a building), or a
// failure, which is the entry's own and not the job's.

import type { JobFailure, Property } from '@lotline/contract'
import { DatabaseUnavailable } from '../database/database.ts'
import type { StatusPreference } from '../listings/listing-choice.ts'
import { parseListingUrl } from '../listings/listing-url.ts'
import type { SourceRecord } from '../listings/source-record.ts'
import { parseAddress } from '../listings/street-address.ts'
import { type Asking, ProviderFailure, ProviderTimeout } from '../providers/provider.ts'
import { type CachedRecord, type FoundRecord, isCached } from '../records/record-cache.ts'
import { isRefusal } from '../refusal.ts'
import { Stopping } from '../work/lease.ts'
import type { NewRow } from './checkpoint.ts'
import type { ExtractUnits } from './job.ts'
import type { Run } from './run.ts'

export interface Entry {
  readonly by: 'url' | 'address' | 'zpid'
  readonly text: string
  /** What its rows and its failure call it. Default: the text. */
  readonly input?: string
}

export interface LookUpRules {
  readonly prefer: StatusPreference
  /** What becomes of buildings. */
  readonly units: ExtractUnits
}

export type LookedUp =
  | {
      readonly rows: readonly NewRow[]
      /** The cached copy that the row was made of: what an import has replaced meanwhile is looked up again. */
      readonly cached?: CachedRecord
    }
  | { readonly failure: JobFailure }

/** Throws only what is not the entry's fault. */
export async function lookUp(run: Run, entry: Entry, rules: LookUpRules): Promise<LookedUp> {
  const input = entry.input ?? entry.text
  try {
    const found = await run.ask({ essential: false }, () => find(run, entry, rules))
    if (typeof found === 'string') return { failure: { input, code: 'not_found', message: found } }
    if ('json' in found) {
      return { rows: [rowOf(input, found.json.toString())], ...(isCached(found) && { cached: found }) }
    }
    const parent = found.parent ? [{ ...rowOf(input, JSON.stringify(found.parent)), charged: false }] : []
    return { rows: [...parent, ...found.units.map((unit) => rowOf(input, JSON.stringify(unit)))] }
  } catch (error) {
    run.signal.throwIfAborted()
    if (error instanceof DatabaseUnavailable || error instanceof Stopping) throw error
    return { failure: { input, ...reasonOf(run, error) } }
  }
}

type Found = FoundRecord | CachedRecord | { readonly parent?: Property; readonly units: readonly Property[] }

/** A sentence: why there is nothing. */
async function find(run: Run, entry: Entry, { prefer, units }: LookUpRules): Promise<Found | string> {
  const { provider, records, listingHosts } = run.tools
  const asking: Asking = { signal: run.signal }
  const keep = (listing: SourceRecord | undefined, otherwise: string) =>
    listing ? records.keep(listing, prefer) : otherwise

  switch (entry.by) {
    case 'zpid':
      return (
        (await records.findPreferred(entry.text, prefer, asking)) ?? `No home has the zpid ${entry.text}.`
      )
    case 'address': {
      const address = parseAddress(entry.text)
      if (isRefusal(address)) return address.message
      const match = await provider.findByAddress(address, prefer, asking)
      if (match.found === 'several') return 'Several homes fit this address. Add the unit or the ZIP code.'
      return keep(match.found === 'one' ? match.listing : undefined, 'No home is known at this address.')
    }
    case 'url': {
      const listing = parseListingUrl(entry.text, listingHosts)
      if (isRefusal(listing)) return listing.message
      const nothing = 'No home or building is known by this URL.'
      if (listing.kind === 'home')
        return (await records.findPreferred(listing.zpid, prefer, asking)) ?? nothing
      if (units === 'disabled') return keep(await provider.findByUrl(listing, prefer, asking), nothing)
      return (await provider.findUnits(listing, units, asking)) ?? nothing
    }
  }
}

/** The record as it is, with its entry in front: parsing and printing it again would be most of the work. */
function rowOf(input: string, record: string): NewRow {
  const hasOwn = record.includes('"input":')
  const body = hasOwn
    ? JSON.stringify({ ...(JSON.parse(record) as object), input })
    : `{"input":${JSON.stringify(input)},${record.slice(1)}`
  return { body, charged: true }
}

function reasonOf(run: Run, error: unknown): Pick<JobFailure, 'code' | 'message'> {
  if (error instanceof ProviderTimeout) {
    return { code: 'upstream_timeout', message: 'The listing source did not answer in time.' }
  }
  if (error instanceof ProviderFailure) {
    return { code: 'upstream_error', message: 'The listing source failed.' }
  }
  run.tools.log.error({ job: run.job.jobId, err: error }, 'an entry broke down')
  return { code: 'internal_error', message: 'Something went wrong on our side.' }
}
