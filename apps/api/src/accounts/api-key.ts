// The secrets of API keys. Their form is the contract's (`@lotline/contract/checks`); here they are made and hashed.

import { hash, randomInt } from 'node:crypto'
import { API_KEY_SECRET_LENGTH, apiKeyOf } from '@lotline/contract/checks'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new key, with 190 bits of chance. It is shown once; only its hash and its last four characters are kept. */
export function createApiKey(): string {
  const letters = Array.from({ length: API_KEY_SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
  return apiKeyOf(letters.join(''))
}

/** The text without anything that may be a key or a part of one, so that it can be stored. */
export function withoutKeys(text: string): string {
  return text.replace(/[0-9A-Za-z]{32,}/g, '…')
}

/** SHA-256 of the key in hex: what the database stores, as bytes, and looks up. */
export function hashOf(key: string): string {
  return hash('sha256', key, 'hex')
}
