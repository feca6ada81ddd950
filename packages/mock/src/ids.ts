import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** `prefix_` and 26 random characters, as the service forms the ids of requests and events. */
export function createId(prefix: 'req' | 'evt'): string {
  // 256 is a multiple of 32, so every character is as likely as the others.
  return `${prefix}_${[...randomBytes(26)].map((byte) => ALPHABET.charAt(byte % 32)).join('')}`
}
