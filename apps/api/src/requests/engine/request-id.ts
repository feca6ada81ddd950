import { randomFillSync } from 'node:crypto'
import { monotonicFactory } from 'ulid'

/** Random bytes are taken many at a time: a query to the system for each of a ULID's characters costs more than all else. */
const bytes = new Uint8Array(4096)
let usedRandomBytes = bytes.length

function random(): number {
  if (usedRandomBytes === bytes.length) {
    randomFillSync(bytes)
    usedRandomBytes = 0
  }
  return bytes[usedRandomBytes++]! / 256
}

const nextUlid = monotonicFactory(random)

/** `req_` + 26 characters (a ULID): unique, and in the order of arrival when sorted. */
export function createRequestId(): string {
  return `req_${nextUlid()}`
}
