import type { ErrorCatalogue } from './read-errors.ts'
import { HEADER, list, property, quote, union } from './typescript-text.ts'

/** The text of `errors.ts`: the codes as a union, and per code its statuses, its meaning, the remedy, and the fields of `details`. */
export function writeErrors(catalogue: ErrorCatalogue): string {
  const entries = [...catalogue]
  const lines = (write: (entry: (typeof entries)[number]) => string) =>
    entries.map((entry) => `  ${write(entry)},\n`).join('')
  return `${HEADER}
/** Every code that \`error.code\` can have. */
export type ErrorCode =${union(entries.map(([code]) => code))}

/** The HTTP statuses that each code comes with. */
export const errorStatuses: Readonly<Record<ErrorCode, readonly number[]>> = {
${lines(([code, { status }]) => property(code, `[${status}]`))}}

/** What each code means, and what a caller does about it, as the reference says it (Markdown). */
export const errorMeanings: Readonly<Record<ErrorCode, { readonly meaning: string; readonly remedy: string }>> = {
${lines(([code, { meaning, remedy }]) =>
  property(code, `{ meaning: ${quote(meaning)}, remedy: ${quote(remedy)} }`),
)}}

/** The fields that \`error.details\` can have with each code. */
export const errorDetails = {
${lines(([code, { details }]) => property(code, list(details)))}} as const satisfies Readonly<Record<ErrorCode, readonly string[]>>
`
}
