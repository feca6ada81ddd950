// Parses dates of files by a form such as `YYYY-MM-DD`, `MMMM-D-YYYY h:mm A`, or `YYYYMMDDTHHmmss`.

import { zonedMs } from '../../domain/record.ts'

/** A date cell. Its time counts only if the form has a time, and a zone by `Z` or by the rule. */
export class DateCell {
  /** `YYYY-MM-DD`, as in the file. */
  readonly day: string
  /** Epoch milliseconds of the moment, or of the day's midnight in UTC. */
  readonly ms: number
  readonly hasTime: boolean

  constructor(day: string, ms: number, hasTime: boolean) {
    this.day = day
    this.ms = ms
    this.hasTime = hasTime
  }
}

export type DateForm = (text: string) => DateCell | undefined

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
] as const
const SHORT_MONTHS = MONTHS.map((month) => month.slice(0, 3))

/** The elements of a form. All other letters except `T` must be in brackets. */
const PATTERNS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  YY: '(?<shortYear>\\d{2})',
  MMMM: `(?<monthName>${MONTHS.join('|')})`,
  // September may also be abbreviated to four letters.
  MMM: `(?<monthName>${SHORT_MONTHS.join('|')}|sept)\\.?`,
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{2})',
  H: '(?<hour>\\d{1,2})',
  hh: '(?<hour12>\\d{2})',
  h: '(?<hour12>\\d{1,2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})(?:\\.\\d+)?',
  A: '(?<half>[ap])\\.?m\\.?',
  Z: '(?<offset>z|[+-]\\d{2}:?\\d{2})',
}
const TOKENS = new RegExp(`\\[([^\\]]*)\\]|${Object.keys(PATTERNS).join('|')}`, 'g')
const DATE_TOKENS = Object.keys(PATTERNS).join(' ')

/** The fault of a form, as the end of a sentence. undefined: it has none. */
export function faultOfDateForm(form: string): string | undefined {
  const tokens = [...form.matchAll(TOKENS)].filter(([, literal]) => literal === undefined)
  const names = tokens.map(([token]) => token)
  const rest = form.replace(TOKENS, ' ').match(/[A-SU-Za-z]+/)?.[0]
  const allowed = `Allowed are ${DATE_TOKENS}, and other text in [brackets]`
  if (rest !== undefined) return `has "${rest}", which is not a date token. ${allowed}`
  const kinds = names.map((token) => /\?<(\w+?)(?:12|Name)?>/.exec(PATTERNS[token]!)![1]!)
  const twice = names.find((_, at) => kinds.indexOf(kinds[at]!) !== at)
  if (twice !== undefined) return `has the same part of a date twice: remove ${twice}`
  if (!names.includes('YYYY') && !names.includes('YY')) return `has no year (YYYY). ${allowed}`
  if (/h/.test(names.join('')) !== names.includes('A')) return 'must have h and A together, or HH'
  return undefined
}

/** Whether a form has a time of day. */
export function formHasTime(form: string): boolean {
  return [...form.matchAll(TOKENS)].some(([token]) => /^[Hh]/.test(token))
}

/**
 * Parses texts of a form that `faultOfDateForm` accepts. An absent month or day is the first. A time of day is ignored unless `timeZone`
 * (IANA name) or `Z` in the form gives its zone.
 */
export function parseDateForm(form: string, timeZone?: string): DateForm {
  const quote = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  let pattern = ''
  let at = 0
  for (const { 0: token, 1: literal, index } of form.matchAll(TOKENS)) {
    pattern += quote(form.slice(at, index)) + (literal === undefined ? PATTERNS[token] : quote(literal))
    at = index + token.length
  }
  const expression = new RegExp(`^${pattern}${quote(form.slice(at))}$`, 'i')
  const hasTime = formHasTime(form)
  return (text) => {
    const part = expression.exec(text)?.groups
    if (part === undefined) return undefined
    const day = dayOf(part)
    if (day === undefined) return undefined
    const midnight = Date.parse(`${day}T00:00:00Z`)
    const isMoment = hasTime && (timeZone !== undefined || part.offset !== undefined)
    if (!isMoment) return new DateCell(day, midnight, false)
    const time = timeOf(part)
    const ms = time && zonedMs(`${day}T${time}${offsetOf(part.offset)}`, timeZone)
    return typeof ms === 'number' ? new DateCell(day, ms, true) : undefined
  }
}

type DateParts = Readonly<Record<string, string | undefined>>

function dayOf({ year, shortYear, month, monthName, day = '1' }: DateParts): string | undefined {
  const number = monthName === undefined ? Number(month ?? 1) : monthNumber(monthName)
  const date = new Date(Date.UTC(Number(year ?? fullYear(Number(shortYear))), number - 1, Number(day)))
  // Otherwise June 31 would become July 1.
  const isReal = date.getUTCMonth() === number - 1 && date.getUTCDate() === Number(day)
  return isReal ? date.toISOString().slice(0, 10) : undefined
}

function monthNumber(name: string): number {
  return SHORT_MONTHS.indexOf(name.toLowerCase().slice(0, 3)) + 1
}

/** Two digits mean a year up to the next one: in 2026, 27 is 2027 and 28 is 1928. */
function fullYear(short: number): number {
  const next = new Date().getUTCFullYear() + 1
  return short + (next - (next % 100)) - (short > next % 100 ? 100 : 0)
}

function timeOf({ hour, hour12, half, minute = '00', second = '00' }: DateParts): string | undefined {
  const of12 = Number(hour12)
  if (hour12 !== undefined && (of12 < 1 || of12 > 12)) return undefined
  const isAfternoon = half?.toLowerCase() === 'p'
  const hours = hour12 === undefined ? Number(hour) : (of12 % 12) + (isAfternoon ? 12 : 0)
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  return `${String(hours).padStart(2, '0')}:${minute}:${second}`
}

/** With a colon, as in ISO 8601. */
function offsetOf(offset: string | undefined): string {
  if (offset === undefined) return ''
  return offset.toUpperCase() === 'Z' ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`
}
