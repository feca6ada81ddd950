// Random tokens: ids of sessions in cookies, and single-use links. Only their hashes are stored, so a copy of the database opens
// nothing.

import { hash, randomBytes } from 'node:crypto'

/** 256 random bits, as 43 characters that are valid in cookies and URLs. */
export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Whether a text has the form of a token. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/** The stored hash of a token. A fast hash is enough, because a token has too many random bits to be guessed. */
export function tokenDigest(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/**
 * The CSRF token of a session's forms. It is derived from the session's id: only a browser with the cookie can know it, and the
 * id cannot be derived from it.
 */
export function csrfToken(sessionId: string): string {
  return hash('sha256', `csrf ${sessionId}`, 'base64url')
}
