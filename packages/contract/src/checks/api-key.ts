// The form of an API key: `lot_`, 32 base62 characters, and 6 more that are the CRC-32 of everything before them. The
// checksum makes it possible to refuse a mistyped key without a query, and secret scanners recognize a leaked one. This file
// does not know whether a key exists.

import { crc32 } from 'node:zlib'

export const API_KEY_PREFIX = 'lot_'
/** Characters between the prefix and the checksum. */
export const API_KEY_SECRET_LENGTH = 32

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CHECKSUM_LENGTH = 6
/** Characters of a whole key. */
export const API_KEY_LENGTH = API_KEY_PREFIX.length + API_KEY_SECRET_LENGTH + CHECKSUM_LENGTH
const FORM = new RegExp(`^${API_KEY_PREFIX}[0-9A-Za-z]{${API_KEY_SECRET_LENGTH + CHECKSUM_LENGTH}}$`)

/** Whether a text has the form of an API key, checksum included. */
export function isApiKey(text: string): boolean {
  if (!FORM.test(text)) return false
  const secret = text.slice(API_KEY_PREFIX.length, API_KEY_PREFIX.length + API_KEY_SECRET_LENGTH)
  return text === apiKeyOf(secret)
}

/** The key with this secret, which must be `API_KEY_SECRET_LENGTH` base62 characters. */
export function apiKeyOf(secret: string): string {
  let rest = crc32(API_KEY_PREFIX + secret)
  let checksum = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    checksum = ALPHABET.charAt(rest % 62) + checksum
    rest = Math.floor(rest / 62)
  }
  return API_KEY_PREFIX + secret + checksum
}
