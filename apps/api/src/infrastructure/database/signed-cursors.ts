// Signed cursors. A cursor marks where a page begins in its list, as text that the client sends back. It is signed together with
// its scope, the list that it belongs to, so clients cannot forge one or use it for another list. It does not expire.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Queryable } from './queryable.ts'

/** The content of a cursor: values that JSON can represent. */
export type CursorValues = readonly (string | number | null)[]

/** The cursors of one list. */
export interface ListCursors {
  write(values: CursorValues): string
  /** `other`: it belongs to another list. `unknown`: it was not signed with this database's key. */
  read(cursor: string): CursorValues | 'other' | 'unknown'
}

export interface SignedCursors {
  /** @param scope what a cursor is bound to: a value that JSON can write */
  of(scope: unknown): Promise<ListCursors>
}

/** Bytes of each of the two signatures. */
const SIGNATURE_BYTES = 16

/** The key is read when the first cursor is needed. */
export function createSignedCursors(database: Queryable): SignedCursors {
  let secret: Buffer | undefined
  async function getSecret(): Promise<Buffer> {
    if (!secret) {
      const { rows } = await database.query<{ key: Buffer }>('select key from cursor_key')
      secret = rows[0]!.key
    }
    return secret
  }

  return {
    async of(list) {
      const secret = await getSecret()
      const scope = createHash('sha256').update(JSON.stringify(list)).digest()
      const sign = (text: string, scope = '' as Buffer | string) => {
        const digest = createHmac('sha256', secret).update(text).update('.').update(scope).digest()
        return digest.subarray(0, SIGNATURE_BYTES).toString('base64url')
      }
      return {
        write(values) {
          const text = Buffer.from(JSON.stringify(values)).toString('base64url')
          return `${text}.${sign(text)}${sign(text, scope)}`
        },
        read(cursor) {
          const [, text, signatures] = /^([\w-]+)\.([\w-]+)$/.exec(cursor) ?? []
          if (text === undefined || signatures === undefined) return 'unknown'
          const own = sign(text)
          // The first signature distinguishes a cursor of another list from a forged one, so that the message can name the cause.
          if (!isSameSignature(signatures.slice(0, own.length), own)) return 'unknown'
          if (!isSameSignature(signatures.slice(own.length), sign(text, scope))) return 'other'
          return JSON.parse(Buffer.from(text, 'base64url').toString()) as CursorValues
        },
      }
    },
  }
}

function isSameSignature(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
