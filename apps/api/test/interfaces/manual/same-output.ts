// Whether a sample prints the output in its guide. Ids and times differ between runs, so only their form is compared; a field named "…"
// stands for further fields.

import { expect } from 'vitest'
import type { Sample } from './samples.ts'

export function expectPrinted({ code, printed }: Sample, output: string): void {
  if (printed === undefined) return
  if (printed.lang === 'text') {
    expect(withoutTime(output.replaceAll('\r\n', '\n').trim()), code).toBe(withoutTime(printed.text.trim()))
  } else {
    expect(JSON.parse(output), code).toEqual(likeness(JSON.parse(printed.text)))
  }
}

/** The header ratelimit has the seconds until the window moves on. */
function withoutTime(text: string): string {
  return text.replaceAll(/;t=\d+$/gm, ';t=…')
}

const FORMS = [
  /^req_[0-9A-Z]{26}$/,
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/,
  /^whsec_[A-Za-z0-9+/=]{44}$/,
  /^lot_[0-9A-Za-z]{38}$/,
]

function likeness(value: unknown): unknown {
  if (typeof value === 'string') {
    const form = FORMS.find((pattern) => pattern.test(value))
    return form ? expect.stringMatching(form) : value
  }
  if (Array.isArray(value)) return value.map(likeness)
  if (value === null || typeof value !== 'object') return value
  const { '…': more, ...fields } = value as Record<string, unknown>
  const like = Object.fromEntries(
    // Whether a record is cached depends on earlier calls.
    Object.entries(fields).map(([name, one]) => [
      name,
      name === 'cached' ? expect.any(Boolean) : likeness(one),
    ]),
  )
  return more === undefined ? like : expect.objectContaining(like)
}
