// The form of an API key: `lot_`, `test_` for a test key, the number of the cell that issued it as in `c7_`, 32 base62
// characters, and 6 more that are the CRC-32 of everything before them. Today's keys have neither of the two middle parts; a
// key that has one is well-formed and unknown. The checksum makes it possible to refuse a mistyped key without a query, and
// secret scanners recognize a leaked one. This file does not know whether a key exists.

import { crc32 } from 'node:zlib'

export const API_KEY_PREFIX = 'lot_'
/** Characters between the prefix and the checksum. */
export const API_KEY_SECRET_LENGTH = 32

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CHECKSUM_LENGTH = 6
/** The part of a key before its secret. */
const PREFIX_PATTERN = `${API_KEY_PREFIX}(?:test_)?(?:c[0-9]+_)?`
const API_KEY_PATTERN = new RegExp(
  `^${PREFIX_PATTERN}[0-9A-Za-z]{${API_KEY_SECRET_LENGTH + CHECKSUM_LENGTH}}$`,
)
const PREFIX = new RegExp(`^${PREFIX_PATTERN}$`)

/** Whether the text has the form of an API key. The checksum is not checked. */
function looksLikeApiKey(text: string): boolean {
  return API_KEY_PATTERN.test(text)
}

/** Whether the text has the form of an API key and a correct checksum. */
export function isApiKey(text: string): boolean {
  if (!looksLikeApiKey(text)) return false
  const beforeChecksum = text.slice(0, -CHECKSUM_LENGTH)
  return text === beforeChecksum + keyChecksum(beforeChecksum)
}

/**
 * The key with this secret, which must be `API_KEY_SECRET_LENGTH` base62 characters. The prefix is `lot_`, or one of a test
 * key or of a cell, such as `lot_test_c7_`.
 */
export function formatApiKey(secret: string, prefix = API_KEY_PREFIX): string {
  if (!PREFIX.test(prefix)) throw new TypeError(`${prefix} is not the prefix of an API key`)
  return prefix + secret + keyChecksum(prefix + secret)
}

function keyChecksum(text: string): string {
  let rest = crc32(text)
  let checksum = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    checksum = ALPHABET.charAt(rest % 62) + checksum
    rest = Math.floor(rest / 62)
  }
  return checksum
}
