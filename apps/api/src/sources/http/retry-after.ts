/** Milliseconds from now of a `Retry-After` header, which is seconds or an HTTP date; undefined when it is neither. */
export function parseRetryAfterMs(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value) * 1000
  const at = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}
