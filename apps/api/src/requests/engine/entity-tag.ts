// Tags of responses (ETag, RFC 9110) and the free 304. A tag is an HMAC over everything that the response depends on: the
// account, the request, the version of what is served, and the form of the response. So a tag of one account never matches for
// another, and no client can make one to learn whether it would match.

import { hash, timingSafeEqual } from 'node:crypto'
import { type OperationId, openapi } from '@lotline/contract'
import type { Database } from '../../infrastructure/database.ts'
import type { Call, TaggedCall } from './call.ts'
import type { DataVersion } from './operation-result.ts'

export interface EntityTags {
  /** The weak tag of a response to this call, with data of this version. A promise until the secret is known. */
  of(call: Call, version: DataVersion): string | Promise<string>
}

/** The length of a tag in base64 characters: 192 bits of an HMAC. */
const TAG_LENGTH = 32
/** A service with another contract may answer in another form. */
const CONTRACT_VERSION = openapi.info.version

export function createEntityTags(database: Database): EntityTags {
  let sign: ((facts: string) => string) | undefined

  return {
    of({ principal, tagged, ignored }, { version, format = 'json' }) {
      // No part contains a line break, because texts from clients are JSON. Each lookup computes a tag, so its time
      // matters.
      const names = ignored ? JSON.stringify(ignored) : ''
      const facts = `${CONTRACT_VERSION}\n${principal.accountId}\n${tagged?.request}\n${version}\n${format}\n${names}`
      if (sign) return formatTag(sign(facts))
      return readSecret(database).then((secret) => {
        sign = createSigner(secret)
        return formatTag(sign(facts))
      })
    },
  }
}

function formatTag(hmac: string): string {
  return `W/"${hmac.slice(0, TAG_LENGTH)}"`
}

/** The block size and digest size of SHA-256, in bytes. */
const SHA256_BLOCK_BYTES = 64
const SHA256_DIGEST_BYTES = 32

/**
 * HMAC-SHA-256 (RFC 2104) as base64url. It is made of two one-shot digests, the first of a text: Node's Hmac objects cost twice
 * as much for a text of this length, and a tag is made for each lookup.
 *
 * @param key at most 64 ASCII characters, so that the key with each pad is ASCII too
 */
export function createSigner(key: string): (text: string) => string {
  const inner = padKey(key, 0x36).toString('ascii')
  const outer = Buffer.concat([padKey(key, 0x5c), Buffer.alloc(SHA256_DIGEST_BYTES)])
  return (text) => {
    outer.write(hash('sha256', inner + text, 'latin1'), SHA256_BLOCK_BYTES, 'latin1')
    return hash('sha256', outer, 'base64url')
  }
}

function padKey(key: string, pad: number): Buffer {
  const block = Buffer.alloc(SHA256_BLOCK_BYTES, pad)
  for (const [at, byte] of Buffer.from(key, 'ascii').entries()) block[at]! ^= byte
  return block
}

/** Returns the secret as text, which is ASCII and keeps all its bits. */
async function readSecret(database: Database): Promise<string> {
  const { rows } = await database.query<{ secret: Buffer }>('select secret from tag_secret', [], {
    name: 'tag_secret',
  })
  return rows[0]!.secret.toString('base64url')
}

interface TaggedInput {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, unknown>>
}

/** The part of a validated input that its tag depends on. Only for operations that document a 304. */
export function tagInput(operationId: OperationId, { params, query, headers }: TaggedInput): TaggedCall {
  const header = headers['if-none-match']
  return {
    request: `${operationId} ${JSON.stringify(params)} ${isEmpty(query) ? '' : JSON.stringify(withSortedKeys(query))}`,
    ifNoneMatch: typeof header === 'string' ? header : undefined,
  }
}

function isEmpty(query: Readonly<Record<string, unknown>>): boolean {
  for (const _ in query) return false
  return true
}

/** A spending limit does not change the response, so it is left out. */
function withSortedKeys(query: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(query).filter(([name]) => name !== 'max_credits')
  return entries.length < 2 ? entries : entries.sort(([one], [other]) => (one < other ? -1 : 1))
}

const QUOTED_TAG = /(?:W\/)?"([^"]*)"/g

/** Whether one of the tags that the client sent is this one, by weak comparison. `*` is treated as absent. */
export function matchesTag(tag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  const wanted = Buffer.from(tag.slice(3, -1))
  for (const [, opaque = ''] of ifNoneMatch.matchAll(QUOTED_TAG)) {
    const sent = Buffer.from(opaque)
    if (sent.length === wanted.length && timingSafeEqual(sent, wanted)) return true
  }
  return false
}
