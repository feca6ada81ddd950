import type { Verdict } from './compare-documents.ts'
import type { Change } from './comparison.ts'
import type { JsonValue } from './json.ts'

/** One comparison with the names of what was compared. */
export interface Report extends Verdict {
  readonly base: string
  readonly head: string
}

/** Writes a report for programs. */
export function writeJson({ breaking, harmless }: Report): string {
  return JSON.stringify({ breaking, harmless }, null, 2)
}

/** How many places of one change are shown, and whether what was and what is stands there too. */
interface Detail {
  readonly places: number
  readonly values: boolean
}

const inFull: Detail = { places: 20, values: true }
const inBrief: Detail = { places: 6, values: false }

/**
 * Writes a report for people. A change to a type that many operations share is listed once, with the places that
 * it reaches; the JSON report lists every place.
 */
export function writeText(report: Report): string {
  const { breaking, harmless } = report
  const parts = [
    `Base: ${report.base}\nHead: ${report.head}`,
    section(`BREAKING (${breaking.length})`, tell(breaking, inFull)),
    section(`HARMLESS (${harmless.length})`, tell(harmless, inBrief)),
    conclusion(report),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [title, ...lines].join('\n')
}

function tell(changes: readonly Change[], detail: Detail): readonly string[] {
  const alike = Map.groupBy(changes, ({ rule, direction, message, before, after }) =>
    JSON.stringify([rule, direction, message, ...(detail.values ? [before, after] : [])]),
  )
  return [...alike.values()].flatMap((group) => tellGroup(group, detail))
}

/** Tells changes that differ only in where they are. */
function tellGroup(group: readonly Change[], { places, values }: Detail): readonly string[] {
  const [first] = group
  if (!first) return []
  const rest = group.length - places
  return [
    `  ${first.rule}${first.direction === 'none' ? '' : ` (${first.direction})`}: ${first.message}`,
    ...group.slice(0, places).map(({ location }) => `      at      ${location}`),
    ...(rest > 0 ? [`      and ${plural(rest, 'more place', 'more places')}, which --json lists`] : []),
    ...(values && first.before !== null ? [`      before  ${display(first.before)}`] : []),
    ...(values && first.after !== null ? [`      after   ${display(first.after)}`] : []),
  ]
}

function display(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 160 ? `${text.slice(0, 157)}...` : text
}

function conclusion({ breaking, harmless }: Report): string {
  if (breaking.length > 0) return `${plural(breaking.length, 'change breaks', 'changes break')} callers.`
  return harmless.length === 0 ? 'The two say the same to a caller.' : 'Nothing breaks a caller.'
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
