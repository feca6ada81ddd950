// Texts of chance that open something: ids of sessions in cookies, and single-use links. Only their hashes are stored, so a copy of
// the database opens nothing.

import { hash, randomBytes } from 'node:crypto'

/** 256 bits of chance, as 43 characters that a cookie and a URL can hold. */
export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Whether a text has the form of a token. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/** What is stored of a token. A token has too much chance to be guessed from a fast hash. */
export function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/**
 * What each form of a session sends along. It is made from the session's id, so only a browser with the cookie can know it, and
 * the id cannot be found from it.
 */
export function csrfTokenOf(sessionId: string): string {
  return hash('sha256', `csrf ${sessionId}`, 'base64url')
}
