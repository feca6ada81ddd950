// Checks a feed before it is connected: its metadata, and one page. Only the count of its calls is stored, because the limits of its server
// need it.

import type { Database } from '../../infrastructure/database.ts'
import { describeFields, type FieldUse } from '../ingest/reso/to-listing.ts'
import { keyOf, metadataUrl, queryUrl, readPage } from './reso-feed.ts'
import { listingReader, openFeed, parseOverrides } from './run-source.ts'
import { type ResoSettings, SourceFailure } from './source-store.ts'

export interface CheckedFeed {
  /** The number of all records of the feed. null: its server does not state it. */
  readonly records: number | null
  /** Fields of the listings, from $metadata, or from the page if there is none. */
  readonly fields: readonly FieldUse[]
  readonly metadata: 'read' | 'not readable'
  /** The rights by the vendor's terms and the operator's settings. Each record may forbid more. */
  readonly rights: {
    readonly mediaLinks: boolean
    readonly requiresOffice: boolean
    /** The use that a listing must permit. null: none is configured. */
    readonly use: string | null
    /** The notice that is shown with each listing. */
    readonly notice: string | null
  }
  /** The one page that was read. */
  readonly page: {
    readonly read: number
    readonly listed: number
    readonly addressHidden: number
    readonly deleted: number
    /** Withheld records by reason. */
    readonly withheld: Readonly<Record<string, number>>
    readonly rejected: readonly { readonly key: string | undefined; readonly problems: readonly string[] }[]
    readonly unknownLookups: readonly { readonly field: string; readonly value: string }[]
  }
}

const PAGE = 100
const MAX_SHOWN = 100

/** @throws {FeedFailure} or {SourceFailure} when the feed cannot be read */
export async function checkFeed(
  database: Database,
  name: string,
  settings: ResoSettings,
  signal: AbortSignal,
): Promise<CheckedFeed> {
  const { upstream, profile } = openFeed(database, settings)
  try {
    const declared = await readDeclared()
    const page = await readPage(upstream, queryUrl(settings, profile, { top: PAGE, count: true }), signal)
    const present = new Set(page.records.flatMap(Object.keys).filter((field) => !field.startsWith('@')))
    const overrides =
      settings.overrides === undefined ? undefined : parseOverrides(settings.overrides, 'the overrides')
    return {
      records: page.count ?? null,
      fields: describeFields([...new Set([...(declared ?? []), ...present])].sort(), overrides),
      metadata: declared ? 'read' : 'not readable',
      rights: {
        mediaLinks: profile.mediaLinks,
        requiresOffice: profile.requiresOffice,
        use: settings.use ?? null,
        notice: settings.notice ?? null,
      },
      page: judge(page.records.map((record) => ({ key: keyOf(record), listing: read(record) }))),
    }
  } finally {
    await upstream.close()
  }

  /** Every feed must describe itself. The names of its fields are enough here. */
  async function readDeclared(): Promise<string[] | undefined> {
    const { body } = await upstream.get(metadataUrl(settings), signal)
    const property = /<EntityType\b[^>]*\bName="Property"[^>]*>([\s\S]*?)<\/EntityType>/.exec(
      body.toString(),
    )?.[1]
    if (property === undefined) return undefined
    return [...property.matchAll(/<Property\b[^>]*\bName="([^"]{1,100})"/g)].map((match) => match[1]!)
  }

  function read(record: Readonly<Record<string, unknown>>) {
    return listingReader(name, settings, profile)(record)
  }
}

function judge(
  rows: readonly {
    readonly key: string | undefined
    readonly listing: ReturnType<ReturnType<typeof listingReader>>
  }[],
): CheckedFeed['page'] {
  const withheld: Record<string, number> = {}
  const rejected: { key: string | undefined; problems: readonly string[] }[] = []
  const unknown = new Map<string, { field: string; value: string }>()
  let [listed, addressHidden, deleted] = [0, 0, 0]
  for (const { key, listing } of rows) {
    switch (listing.kind) {
      case 'listing':
        listed += 1
        if (listing.isAddressHidden) addressHidden += 1
        for (const { field, value } of listing.unknownLookups)
          unknown.set(`${field}\n${value}`, { field, value })
        break
      case 'withheld':
        withheld[listing.reason] = (withheld[listing.reason] ?? 0) + 1
        break
      case 'deleted':
        deleted += 1
        break
      case 'rejected':
        rejected.push({ key, problems: listing.problems })
    }
  }
  return {
    read: rows.length,
    listed,
    addressHidden,
    deleted,
    withheld,
    rejected: rejected.slice(0, MAX_SHOWN),
    unknownLookups: [...unknown.values()].slice(0, MAX_SHOWN),
  }
}

/** @throws {SourceFailure} when settings do not fit the profile */
export function requireFitting(
  settings: ResoSettings,
  profile: { readonly needsOriginatingSystem: boolean; readonly statesUses: boolean },
): void {
  if (profile.needsOriginatingSystem && settings.originatingSystem === undefined) {
    throw new SourceFailure(
      `The profile ${settings.profile} needs --originating-system NAME: each query must name one.`,
    )
  }
  if (profile.statesUses && settings.use === undefined) {
    throw new SourceFailure(
      `The profile ${settings.profile} needs --use, the use that your license permits, such as IDX.`,
    )
  }
}
