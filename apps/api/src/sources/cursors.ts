// Cursors of searches: where a page begins in the order of its search, as text that the client sends back. A cursor is signed
// together with its search, so it fits no other search, and no client can make one. It does not expire.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import type { AreaSearch } from '../search/area-search.ts'
import type { RowKey, RowOrder } from '../search/row-order.ts'

/** What a cursor is bound to. */
export interface CursorScope {
  readonly search: AreaSearch
  readonly order: RowOrder
  /** The name of the provider: another one may have other rows. */
  readonly provider: string
}

/** The cursors of one search. */
export interface SearchCursors {
  write(key: RowKey): string
  /** `other`: it was made for another search; `unknown`: it was not made with this database's key. */
  read(cursor: string): RowKey | 'other' | 'unknown'
}

export interface Cursors {
  of(scope: CursorScope): Promise<SearchCursors>
}

/** Bytes of each of the two signatures. */
const SIGNATURE_BYTES = 16

/** The key is read when the first cursor is needed. */
export function createCursors(database: Queryable): Cursors {
  let secret: Buffer | undefined
  async function getSecret(): Promise<Buffer> {
    if (!secret) {
      const { rows } = await database.query<{ key: Buffer }>('select key from cursor_key')
      secret = rows[0]!.key
    }
    return secret
  }

  return {
    async of({ search, order, provider }) {
      const secret = await getSecret()
      const scope = createHash('sha256')
        .update(JSON.stringify([search, order, provider]))
        .digest()
      const sign = (text: string, scope = '' as Buffer | string) => {
        const digest = createHmac('sha256', secret).update(text).update('.').update(scope).digest()
        return digest.subarray(0, SIGNATURE_BYTES).toString('base64url')
      }
      return {
        write(key) {
          const text = encode(key)
          return `${text}.${sign(text)}${sign(text, scope)}`
        },
        read(cursor) {
          const [, text, signatures] = /^([\w-]+)\.([\w-]+)$/.exec(cursor) ?? []
          if (text === undefined || signatures === undefined) return 'unknown'
          const own = sign(text)
          // The first signature tells a cursor of another search from a made-up one, so that the message can say which it is.
          if (!isSame(signatures.slice(0, own.length), own)) return 'unknown'
          return isSame(signatures.slice(own.length), sign(text, scope)) ? decode(text) : 'other'
        },
      }
    },
  }
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

function encode({ value, zpid, position }: RowKey): string {
  return Buffer.from(JSON.stringify([value, zpid, ...(position ?? [])])).toString('base64url')
}

/** Only of a text whose signature is right. */
function decode(text: string): RowKey {
  const [value, zpid, ...position] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [
    number | null,
    string,
    ...number[],
  ]
  const [longitude, latitude] = position
  return {
    value,
    zpid,
    ...(longitude !== undefined && latitude !== undefined && { position: [longitude, latitude] as const }),
  }
}
