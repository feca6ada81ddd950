// Formats numbers, times, and words for the pages. Times are in UTC, as in the API.

import { type Html, html } from './html.ts'

const WHOLE_NUMBER_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const RATE_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
const DOLLAR_FORMAT = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
})
const DAY_FORMAT = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
})
const SHORT_DAY_FORMAT = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const TIME_FORMAT = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

export const DAY_MS = 24 * 60 * 60 * 1000

export function whole(value: number): string {
  return WHOLE_NUMBER_FORMAT.format(value)
}

/** With one decimal at most. */
export function rate(value: number): string {
  return RATE_FORMAT.format(value)
}

export function dollars(value: number): string {
  return DOLLAR_FORMAT.format(value)
}

/** @param hundredths of the currency (ISO 4217) */
export function price(hundredths: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(hundredths / 100)
}

export function day(time: Date | string): string {
  return DAY_FORMAT.format(new Date(time))
}

export function shortDay(time: Date | string): string {
  return SHORT_DAY_FORMAT.format(new Date(time))
}

/** A moment, as an element that names its time zone. */
export function moment(time: string | null | undefined, absent = 'Never'): Html {
  if (!time) return html`<span class="quiet">${absent}</span>`
  return html`<time datetime=${time} title=${time}>${TIME_FORMAT.format(new Date(time))}<span class="zone"> UTC</span></time>`
}

/** `1 row`, `2 rows`. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${whole(value)} ${value === 1 ? one : many}`
}

/** `timed_out` as `Timed out`. */
export function words(name: string): string {
  const text = name.replaceAll(/[_.]/g, ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The day of a moment in UTC, `YYYY-MM-DD`. */
export function timeElement(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
