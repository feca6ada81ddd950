// Forms of the console: their fields are validated before anything is changed. Each is a `changeForm` (parts.ts).

import { isUuid } from '../parts.ts'

/** The fields of a submitted form. `problems` has a sentence for each invalid field. */
export interface FormInput {
  readonly problems: readonly string[]
  /** Without surrounding spaces; empty: the field was left empty. */
  text(name: string): string
  /** A line of text. undefined: it was left empty. */
  line(name: string, label: string, most: number): string | undefined
  /** A whole number. undefined: it was left empty. */
  number(name: string, label: string, least: number, most: number): number | undefined
  oneOf<T extends string>(name: string, label: string, values: readonly T[]): T | undefined
  /** The id of the form itself. */
  formId(): string
  report(problem: string): void
}

export function readForm(sent: URLSearchParams): FormInput {
  const problems: string[] = []
  const text = (name: string) => (sent.get(name) ?? '').trim()
  return {
    problems,
    text,
    line(name, label, most) {
      const value = text(name)
      if (value === '') return undefined
      if (value.length <= most && !/\p{Cc}/u.test(value)) return value
      problems.push(`${label} takes a line of up to ${most} characters.`)
      return undefined
    },
    number(name, label, least, most) {
      const value = text(name).replaceAll(',', '')
      if (value === '') return undefined
      const number = Number(value)
      if (/^\d{1,10}$/.test(value) && number >= least && number <= most) return number
      problems.push(`${label} takes a whole number from ${least} to ${most}.`)
      return undefined
    },
    oneOf(name, label, values) {
      const value = values.find((one) => one === text(name))
      if (value === undefined) problems.push(`${label}: choose one from the list.`)
      return value
    },
    formId() {
      const id = text('form')
      if (!isUuid(id)) problems.push('The page is out of date. Load it again.')
      return id.toLowerCase()
    },
    report: (problem) => problems.push(problem),
  }
}
