import type { Allowance, AllowedChange } from './allow-list.ts'
import type { Change } from './comparison.ts'
import type { JsonValue } from './json.ts'
import type { Report } from './report-json.ts'

/** How many places of one change are shown, and whether what was and what is stands there too. */
interface Detail {
  readonly places: number
  readonly values: boolean
}

const inFull: Detail = { places: 20, values: true }
const inBrief: Detail = { places: 6, values: false }

/**
 * Writes a report for people. A change to a type that many operations share is told once, with the places that
 * it reaches; the JSON report lists every place.
 */
export function writeText(report: Report): string {
  const { breaking, allowed, harmless, unmatched } = report
  const parts = [
    `Base: ${report.base}\nHead: ${report.head}`,
    section(`BREAKING (${breaking.length})`, tell(breaking, inFull)),
    section(`ALLOWED (${allowed.length}), breaking but meant`, tellAllowed(allowed)),
    section(`HARMLESS (${harmless.length})`, tell(harmless, inBrief)),
    section(
      `UNMATCHED (${unmatched.length}), entries of the allow-list that fit no change`,
      tellUnmatched(unmatched),
    ),
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

function tellAllowed(changes: readonly AllowedChange[]): readonly string[] {
  return [...Map.groupBy(changes, ({ reason }) => reason)].flatMap(([reason, group]) => [
    `  Because: ${reason}`,
    ...tell(group, inBrief),
  ])
}

function tellUnmatched(entries: readonly Allowance[]): readonly string[] {
  return entries.map(({ rule, location }) => `  ${rule} at ${location}`)
}

function display(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 160 ? `${text.slice(0, 157)}...` : text
}

function conclusion({ breaking, harmless, allowed, allowList, stale }: Report): string {
  const faults = []
  if (breaking.length > 0) {
    faults.push(
      `${plural(breaking.length, 'change breaks', 'changes break')} callers. Undo ${breaking.length === 1 ? 'it' : 'them'}` +
        `${allowList ? `, or add rule, location and reason to ${allowList} if meant` : ''}.`,
    )
  }
  if (stale) faults.push(`Remove the unmatched entries from ${allowList}, or correct them.`)
  if (faults.length > 0) return faults.join('\n')
  if (allowed.length + harmless.length === 0) return 'The two say the same to a caller.'
  return `Nothing breaks a caller${allowed.length > 0 ? ' but what is allowed' : ''}.`
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
