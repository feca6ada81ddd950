// Dates as files write them, by a form such as `YYYY-MM-DD`, `M/D/YYYY` or `YYYYMMDDTHHmmss`.

export type DateForm = (text: string) => Date | undefined

const TOKENS = /YYYY|MM|M|DD|D|HH|mm|ss/g
const PATTERNS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
  HH: '\\d{2}',
  mm: '\\d{2}',
  ss: '\\d{2}',
}

/** The day of a text in that form, as its midnight in UTC; times of day are read over. Without month or day: the first. */
export function parseDateForm(form: string): DateForm {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  let pattern = ''
  let at = 0
  for (const { 0: token, index } of form.matchAll(TOKENS)) {
    pattern += literal(form.slice(at, index)) + PATTERNS[token]
    at = index + token.length
  }
  const expression = new RegExp(`^${pattern}${literal(form.slice(at))}$`)
  return (text) => {
    const { year, month = '1', day = '1' } = expression.exec(text)?.groups ?? {}
    if (year === undefined) return undefined
    const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
    // The 31st of June would become the 1st of July.
    return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) ? date : undefined
  }
}
