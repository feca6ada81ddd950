// Pages of a list that is sorted by time, the latest first: by `cursor`, or by `offset`.

import { inputFault } from '@lotline/contract'
import type { App } from '../app.ts'
import { type Refusal, refuseAt, refuseInput } from '../platform/refusal.ts'

/** Where an entry is in its list: its time in microseconds since 1970, and its id. */
export type EntryPosition = readonly [micros: number, id: string | number]

export interface ListAsked {
  readonly cursor?: string | undefined
  readonly offset: number
  readonly limit: number
}

export interface ListPage<Entry> {
  readonly entries: readonly Entry[]
  /** The cursor of the entries behind these; undefined: there are none. */
  readonly nextCursor: string | undefined
}

/** `cursor` and `offset` say two things, so that only one of them may be sent. */
export function refuseTwoPlaces({ cursor, offset }: ListAsked): Refusal | undefined {
  if (cursor === undefined || offset === 0) return undefined
  return refuseInput('invalid_parameter', 'cursor', inputFault('only_one', { places: 'cursor and offset' }))
}

/**
 * @param scope what a cursor is bound to: the account, the operation, and the filters
 * @param find the entries behind `after`, or from `offset` on: one more than the page has, if there are as many
 */
export async function findListPage<Entry>(
  { listCursors }: Pick<App, 'listCursors'>,
  scope: readonly unknown[],
  { cursor, limit }: ListAsked,
  find: (after: EntryPosition | null, limit: number) => Promise<readonly Entry[]>,
  positionOf: (entry: Entry) => EntryPosition,
): Promise<ListPage<Entry> | Refusal> {
  const own = await listCursors.of(scope)
  const after = cursor === undefined ? null : own.read(cursor)
  if (after === 'other') return refuseAt('invalid_cursor', 'other_list', 'cursor', {})
  if (after === 'unknown') return refuseAt('invalid_cursor', 'unknown', 'cursor', {})
  const found = await find(after as EntryPosition | null, limit + 1)
  const entries = found.slice(0, limit)
  const last = entries.at(-1)
  return { entries, nextCursor: last && found.length > limit ? own.write(positionOf(last)) : undefined }
}
