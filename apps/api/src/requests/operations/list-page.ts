// Pages of a list, in its order: by `cursor`, or by `offset` where a list has one. A cursor holds the position of the last entry
// of its page (a keyset), so that new entries shift nothing.

import { inputFault } from '@lotline/contract'
import type { SignedCursors } from '../../infrastructure/database.ts'
import { type Refusal, refuseAt, refuseInput } from '../../infrastructure/refusals.ts'

export interface ListPageDeps {
  readonly listCursors: SignedCursors
}

/** Where an entry is in its list, as a cursor holds it. */
type AnyPosition = readonly (string | number | null)[]

/** Where an entry is in a list by time: its time in microseconds since 1970, and its id. */
export type EntryPosition = readonly [micros: number, id: string | number]

export interface ListAsked {
  readonly cursor?: string | undefined
  readonly limit: number
}

export interface ListPage<Entry> {
  readonly entries: readonly Entry[]
  /** The cursor of the entries behind these; undefined: there are none. */
  readonly nextCursor: string | undefined
}

/** `cursor` and `offset`, or `after`, say two things, so that only one of them may be sent. */
export function refuseTwoPlaces(
  cursor: string | undefined,
  other: number,
  name: 'offset' | 'after' = 'offset',
): Refusal | undefined {
  if (cursor === undefined || other === 0) return undefined
  return refuseInput('invalid_parameter', 'cursor', inputFault('only_one', { places: `cursor and ${name}` }))
}

/**
 * @param scope what a cursor is bound to: the operation, the account, and the filters
 * @param find the entries behind `after`, or from the beginning: one more than the page has, if there are as many. If there are
 *   fewer than the limit, they are the last ones, unless `isCut` says that the page ends early
 */
export async function findListPage<Entry, Position extends AnyPosition = EntryPosition>(
  { listCursors }: Pick<ListPageDeps, 'listCursors'>,
  scope: readonly unknown[],
  { cursor, limit }: ListAsked,
  find: (after: Position | null, limit: number) => Promise<readonly Entry[]>,
  positionOf: (entry: Entry) => Position,
  isCut: (found: readonly Entry[]) => boolean = () => false,
): Promise<ListPage<Entry> | Refusal> {
  const own = await listCursors.of(scope)
  const after = cursor === undefined ? null : own.read(cursor)
  if (after === 'other') return refuseAt('invalid_cursor', 'other_list', 'cursor', {})
  if (after === 'unknown') return refuseAt('invalid_cursor', 'unknown', 'cursor', {})
  const found = await find(after as Position | null, limit + 1)
  const entries = found.slice(0, limit)
  const last = entries.at(-1)
  const hasMore = found.length > limit || isCut(found)
  return { entries, nextCursor: last && hasMore ? own.write(positionOf(last)) : undefined }
}

/** The `meta` that every list has. */
export function pageMeta({ entries, nextCursor }: ListPage<unknown>, limit: number) {
  return {
    count: entries.length,
    limit,
    has_more: nextCursor !== undefined,
    ...(nextCursor !== undefined && { next_cursor: nextCursor }),
  }
}
