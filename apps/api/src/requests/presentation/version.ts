// The version of a response, which its tag is made of (engine/entity-tag.ts): everything that is served, except for when it
// was read. Two responses with the same version differ in nothing else.

import { hash } from 'node:crypto'
import type { FoundRecord } from '../../data/record-cache.ts'
import type { Body } from '../engine/operation-result.ts'

type Fields = Readonly<Record<string, unknown>>

const recordVersionCache = new WeakMap<FoundRecord, string>()

/** Of a response that has a whole record. Cached records stay in memory, so most are hashed once for many calls. */
export function recordVersion(found: FoundRecord): string {
  const known = recordVersionCache.get(found)
  if (known !== undefined) return known
  const version = hash(
    'sha256',
    `${hash('sha256', found.json, 'base64url')} ${JSON.stringify(sourceCredit(found.origin))}`,
    'base64url',
  )
  recordVersionCache.set(found, version)
  return version
}

/** Of a response with parts of a record, or with rows. */
export function bodyVersion({ data, meta, cached: _, fetched_at: __, ...rest }: Body): string {
  const { cached: ___, ...stable } = (meta ?? {}) as Fields
  return JSON.stringify([dataWithoutTimes(data), withoutTimes(stable), rest])
}

function dataWithoutTimes(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(withoutTimes)
  const { units } = (data ?? {}) as { readonly units?: unknown }
  return Array.isArray(units) ? { ...(data as Fields), units: units.map(withoutTimes) } : data
}

/** With what is shown of the source, but not when it was read, nor when the source changed something else of the home. */
function withoutTimes<T>(row: T): T {
  const { source, X_Source: standard } = row as { readonly source?: unknown; readonly X_Source?: unknown }
  if (!isSource(source) && !isSource(standard)) return row
  return {
    ...row,
    ...(isSource(source) && { source: sourceCredit(source) }),
    ...(isSource(standard) && { X_Source: sourceCredit(standard) }),
  }
}

type Source = FoundRecord['origin']

function isSource(value: unknown): value is Source {
  return typeof value === 'object' && value !== null && 'fetched_at' in value
}

function sourceCredit({ fetched_at: _, source_updated_at: __, ...credit }: Source): Fields {
  return credit
}
