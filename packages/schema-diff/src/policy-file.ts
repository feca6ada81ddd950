// Reads a policy file: what a project adds to the rules, and what its specification extensions mean. README.md describes
// the format.

import { readJsonOrYaml, UsageError } from './document.ts'
import { elementsOf, isObject, type JsonValue, membersOf } from './json.ts'
import {
  type Breaks,
  defaultPolicy,
  type Extension,
  type ExtensionPlace,
  OUTCOMES,
  PLACES,
  type Policy,
} from './policy.ts'

/**
 * Reads a policy file, JSON or YAML: `rules` overrides lines of the table, `extensions` adds to it, `openEnums` replaces
 * the list of keywords.
 *
 * @throws UsageError that names the place, when the file cannot be read or is not such a policy
 */
export async function readPolicy(file: string): Promise<Policy> {
  return toPolicy(file, await readJsonOrYaml(file))
}

/** As `readPolicy`, for a value that was read already. `name` is what errors call it. */
export function toPolicy(name: string, value: JsonValue): Policy {
  refuseUnknownKeys(name, value ?? {}, ['rules', 'extensions', 'openEnums', 'unknownExtensions'])
  const members = membersOf(value)
  const rules = new Map(defaultPolicy.rules)
  const extensions: Extension[] = []
  const ignored = new Map<string, string>()
  for (const [index, entry] of listOf(name, 'extensions', members.get('extensions')).entries()) {
    const where = `${name}, extensions[${index}]`
    const keyword = keywordOf(where, entry)
    if (membersOf(entry).get('compare') === 'ignored') ignored.set(keyword, reasonOf(where, entry))
    else extensions.push(toExtension(where, keyword, entry, rules))
  }
  for (const [rule, breaks] of membersOf(members.get('rules'))) {
    if (!rules.has(rule))
      throw new UsageError(`${name}: unknown rule ${rule}. Run with --rules to list all rules.`)
    rules.set(rule, toBreaks(`${name}, rules.${rule}`, breaks))
  }
  const openEnums = members.has('openEnums')
    ? listOf(name, 'openEnums', members.get('openEnums')).map((keyword) =>
        textOf(name, 'openEnums[]', keyword),
      )
    : defaultPolicy.openEnums
  const unknown = members.get('unknownExtensions') ?? 'refused'
  const refusesUnknown = oneOf(name, 'unknownExtensions', unknown, ['refused', 'ignored']) === 'refused'
  return { rules, extensions, ignored, refusesUnknown, openEnums }
}

function keywordOf(where: string, entry: JsonValue): string {
  if (!isObject(entry)) throw new UsageError(`${where} must be an object.`)
  const keyword = textOf(where, 'keyword', entry.keyword)
  if (!keyword.startsWith('x-')) throw new UsageError(`${where}: keyword must begin with x-.`)
  return keyword
}

function reasonOf(where: string, entry: JsonValue): string {
  refuseUnknownKeys(where, entry, ['keyword', 'compare', 'reason'])
  return textOf(where, 'reason', membersOf(entry).get('reason'))
}

function toExtension(
  where: string,
  keyword: string,
  entry: JsonValue,
  rules: Map<string, Breaks>,
): Extension {
  const members = membersOf(entry)
  const ways = [...Object.keys(OUTCOMES), 'ignored']
  const compare = oneOf(where, 'compare', members.get('compare'), ways) as Extension['compare']
  refuseUnknownKeys(where, entry, [
    'keyword',
    'on',
    'compare',
    'rule',
    'title',
    'breaks',
    ...(compare === 'set' ? ['openEnum', 'inputs'] : []),
    ...(compare === 'fieldsByValue' ? ['by'] : []),
  ])
  const on = placesOf(where, compare, members.get('on'))
  const rule = textOf(where, 'rule', members.get('rule'))
  const breaks = membersOf(members.get('breaks'))
  for (const outcome of OUTCOMES[compare]) {
    const name = `${rule}-${outcome}`
    if (rules.has(name))
      throw new UsageError(`${where}: the rule ${name} already exists. Choose another keyword.`)
    // Without a verdict of its own, a value that is introduced is one that changed.
    const isChange = compare === 'value' && outcome === 'introduced'
    const verdict = breaks.get(outcome) ?? (isChange ? breaks.get('changed') : undefined)
    rules.set(name, toBreaks(`${where}, breaks.${outcome}`, verdict))
  }
  refuseUnknownKeys(`${where}, breaks`, members.get('breaks') ?? {}, OUTCOMES[compare])
  return {
    keyword,
    on,
    compare,
    rule,
    title: members.has('title') ? textOf(where, 'title', members.get('title')) : keyword,
    openEnum: members.get('openEnum') === true,
    inputs: members.get('inputs') === true,
    by: compare === 'fieldsByValue' ? textOf(where, 'by', members.get('by')) : '',
  }
}

/** One place, or a list of places. */
function placesOf(
  where: string,
  compare: Extension['compare'],
  value: JsonValue | undefined,
): readonly ExtensionPlace[] {
  const fitting =
    compare === 'condition'
      ? ['response', 'content', 'header']
      : compare === 'choice' || compare === 'fieldsByValue'
        ? ['input']
        : PLACES
  const listed = Array.isArray(value) ? elementsOf(value) : [value]
  return listed.map((place) => oneOf(where, 'on', place, fitting) as ExtensionPlace)
}

function toBreaks(where: string, value: JsonValue | undefined): Breaks {
  return oneOf(where, '', value, ['always', 'request', 'response', 'never']) as Breaks
}

function oneOf(where: string, key: string, value: JsonValue | undefined, allowed: readonly string[]): string {
  const known = allowed.find((candidate) => candidate === value)
  if (known !== undefined) return known
  throw new UsageError(`${where}${key && `: ${key}`} must be one of ${allowed.join(', ')}.`)
}

function textOf(where: string, key: string, value: JsonValue | undefined): string {
  if (typeof value === 'string' && value.trim() !== '') return value
  throw new UsageError(`${where}: ${key} must be a non-empty string.`)
}

function listOf(where: string, key: string, value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || Array.isArray(value)) return elementsOf(value)
  throw new UsageError(`${where}: ${key} must be a list.`)
}

function refuseUnknownKeys(where: string, value: JsonValue, known: readonly string[]): void {
  if (!isObject(value)) throw new UsageError(`${where} must be an object.`)
  const unknown = Object.keys(value).find((key) => !known.includes(key))
  if (unknown !== undefined) throw new UsageError(`${where}: unknown key ${unknown}.`)
}
