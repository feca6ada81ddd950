import { monotonicFactory } from 'ulid'

const nextUlid = monotonicFactory()

/** `req_` + 26 characters (a ULID): unique, and in the order of arrival when sorted. */
export function createRequestId(): string {
  return `req_${nextUlid()}`
}
