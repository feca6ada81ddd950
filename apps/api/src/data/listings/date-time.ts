// Converts dates and times of sources to the forms of the contract, if their meaning is clear.

import { instantMs, zonedMs } from '../../domain/record.ts'

/** `YYYY-MM-DD` from a date-time or epoch milliseconds. undefined: it is no date. */
export function toDate(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : value
  if (typeof text === 'string' && /^\d{4}-\d{2}-\d{2}[T ]/.test(text)) return toDate(text.slice(0, 10))
  const ms = instantMs(asNumber(text))
  if (ms === null) return undefined
  const date = new Date(ms).toISOString().slice(0, 10)
  // Otherwise June 31 would become July 1.
  return typeof text === 'string' && text.length === 10 && text !== date ? undefined : date
}

/**
 * An RFC 3339 date-time in UTC. A date-time without an offset is in the time zone of the home (IANA name; UTC if the record names none).
 * Epoch milliseconds are accepted too. undefined: it is no moment.
 */
export function toDateTime(value: unknown, timeZone: unknown): string | undefined {
  const text = asNumber(typeof value === 'string' ? value.trim() : value)
  // A day alone is no moment.
  if (typeof text === 'string' && !/[T ]\d{2}:\d{2}/.test(text)) return undefined
  const ms = zonedMs(text, timeZone)
  return ms === null ? undefined : new Date(ms).toISOString()
}

/** Epoch milliseconds may be written as text. */
function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{11,14}$/.test(value) ? Number(value) : value
}
