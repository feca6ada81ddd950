// The compatibility policy as data: each kind of change that the comparison reports, and whom it breaks. The other files
// only find changes; the verdict is always looked up here. A policy file can override each line and add rules for the
// specification extensions (`x-…`) of a project.

import { readJsonOrYaml, UsageError } from './document.ts'
import { elementsOf, isObject, type JsonValue, membersOf } from './json.ts'

/**
 * `request`: what callers send. `response`: what they receive. `none`: neither, such as a path or a price. For a webhook
 * the payload is `response` and the answer is `request`.
 */
export type Direction = 'request' | 'response' | 'none'

/** Which clients a change breaks: all, none, or those where the change is in what they send or receive. */
export type Breaks = 'always' | 'request' | 'response' | 'never'

export const defaultRules = {
  // Addresses. Callers have them in their programs.
  'server-removed': 'always',
  'server-added': 'never',
  'default-server-changed': 'never', // the first server; the one before it still answers
  'path-removed': 'always',
  'path-added': 'never',
  'path-parameter-renamed': 'always', // typed clients fill path parameters by name
  'method-removed': 'always',
  'method-added': 'never',
  'webhook-removed': 'always',
  'webhook-added': 'never',

  // Operations
  'operation-id-changed': 'always', // generated clients name their methods by it
  'security-changed': 'always', // credentials that were enough no longer are
  'security-relaxed': 'never', // a further alternative, or less to present
  'deprecation-added': 'never',
  'deprecation-removed': 'never',

  // Parameters
  'parameter-removed': 'always',
  'parameter-added': 'never',
  'required-parameter-added': 'request',
  'parameter-moved': 'always',
  'parameter-became-required': 'request',
  'parameter-became-optional': 'response',
  'serialization-changed': 'always', // style, explode or allowReserved of a parameter or header

  // Bodies
  'body-removed': 'always',
  'body-added': 'never',
  'required-body-added': 'request',
  'body-became-required': 'request',
  'body-became-optional': 'response',
  'content-type-removed': 'always',
  'content-type-added': 'never',

  // Responses
  'response-removed': 'always',
  'response-added': 'never', // clients handle an unknown 4xx or 5xx by its class
  'success-response-added': 'response', // a 2xx or 3xx, except 304, that clients take for the one they know
  'header-removed': 'always',
  'header-added': 'never',
  'header-became-required': 'request',
  'header-became-optional': 'response',

  // Fields of an object
  'field-removed': 'always',
  'field-added': 'never',
  'required-field-added': 'request',
  'field-became-required': 'request',
  'field-became-optional': 'response',
  'additional-fields-closed': 'request',
  'additional-fields-opened': 'never',
  'additional-fields-removed': 'always', // a stated promise to carry unknown fields is withdrawn
  'pattern-fields-removed': 'always', // fields whose names match a pattern (patternProperties)
  'pattern-fields-added': 'never',

  // Values: an input may only become wider, an output only narrower
  'type-narrowed': 'request',
  'type-widened': 'response',
  'type-changed': 'always',
  'nullability-removed': 'request',
  'nullability-added': 'response',
  'enum-value-removed': 'always', // in an output too: programs wait for a value that no longer comes
  'enum-value-added': 'response',
  'enum-introduced': 'request',
  'enum-dropped': 'response',
  'enum-opened': 'response', // values that are not listed may occur from now on
  'enum-closed': 'request',
  'open-enum-value-added': 'never', // clients of an open enum expect values that they do not know
  'open-enum-introduced': 'never', // values are named where any could occur before
  'open-enum-dropped': 'never',
  'alternative-removed': 'request', // of a oneOf or anyOf
  'alternative-added': 'response',
  'discriminator-added': 'never', // it only says what the alternatives say already
  'discriminator-removed': 'response', // clients choose the type by it
  'discriminator-changed': 'always', // another property
  'discriminator-value-removed': 'request',
  'discriminator-value-added': 'response',
  'discriminator-value-changed': 'always', // the value leads to an incompatible schema
  'bound-narrowed': 'request',
  'bound-widened': 'response',
  'pattern-introduced': 'request',
  'pattern-dropped': 'response',
  'pattern-changed': 'always', // whether a pattern became wider or narrower cannot be decided
  'format-introduced': 'request',
  'format-dropped': 'response',
  'format-changed': 'always',
  'multiple-of-introduced': 'request',
  'multiple-of-dropped': 'response',
  'multiple-of-changed': 'always',
  'unique-items-introduced': 'request',
  'unique-items-dropped': 'response',
  'default-changed': 'request',
  'constraint-changed': 'always', // a keyword whose effect is not judged, such as `not` or `if`
} as const satisfies Record<string, Breaks>

/** A rule of the table above. The rules of extensions are named by the policy file. */
export type RuleName = keyof typeof defaultRules

/** The outcomes of each way to compare an extension; the rule is `<rule>-<outcome>`. */
const OUTCOMES = {
  /** Any difference is a change. A value where there was none is introduced; the policy may leave that outcome out. */
  value: ['changed', 'introduced'],
  /** A list of strings. */
  set: ['added', 'removed'],
  /** Numbers that callers want low, alone or inside objects. A part in which every number is 0 counts as absent. */
  amount: ['raised', 'lowered', 'changed'],
} as const
const PLACES = ['operation', 'response', 'input'] as const

/** A specification extension that means something to callers. */
export interface Extension {
  /** Such as `x-price`. */
  readonly keyword: string
  /** Where it is written: on operations, on responses, or on the schemas of what callers send. */
  readonly on: (typeof PLACES)[number]
  readonly compare: keyof typeof OUTCOMES
  /** The first part of the rule's name. */
  readonly rule: string
  /** What messages call it, such as "The price". */
  readonly title: string
  /** For a `set`: an enum in a response that lists every value the set has anywhere is an open enum. */
  readonly openEnum: boolean
}

export interface Policy {
  /** By rule, those of the extensions included. */
  readonly rules: ReadonlyMap<string, Breaks>
  readonly extensions: readonly Extension[]
  /** Keywords that declare an enum open: with the value true beside an `enum`, or with the list of values. */
  readonly openEnums: readonly string[]
}

export const defaultPolicy: Policy = {
  rules: new Map(Object.entries(defaultRules)),
  extensions: [],
  openEnums: ['x-extensible-enum', 'x-open-enum'],
}

/** Whether a change of this rule breaks callers when it happens to what they send, or to what they receive. */
export function isBreaking(policy: Policy, rule: string, direction: Direction): boolean {
  const breaks = policy.rules.get(rule)
  if (breaks === undefined) throw new Error(`The policy has no rule ${rule}.`)
  return breaks === 'always' || breaks === direction
}

/**
 * Reads a policy file, JSON or YAML: `rules` overrides lines of the table, `extensions` adds to it, `openEnums` replaces
 * the list of keywords. README.md describes the format.
 *
 * @throws UsageError that names the place, when the file cannot be read or is not such a policy
 */
export async function readPolicy(file: string): Promise<Policy> {
  return toPolicy(file, await readJsonOrYaml(file))
}

/** As `readPolicy`, for a value that was read already. `name` is what errors call it. */
export function toPolicy(name: string, value: JsonValue): Policy {
  refuseUnknownKeys(name, value ?? {}, ['rules', 'extensions', 'openEnums'])
  const members = membersOf(value)
  const rules = new Map(defaultPolicy.rules)
  const extensions = listOf(name, 'extensions', members.get('extensions')).map((entry, index) =>
    toExtension(`${name}, extensions[${index}]`, entry, rules),
  )
  for (const [rule, breaks] of membersOf(members.get('rules'))) {
    if (!rules.has(rule)) throw new UsageError(`${name}: there is no rule ${rule}. --rules lists all rules.`)
    rules.set(rule, toBreaks(`${name}, rules.${rule}`, breaks))
  }
  const openEnums = members.has('openEnums')
    ? listOf(name, 'openEnums', members.get('openEnums')).map((keyword) =>
        textOf(name, 'openEnums[]', keyword),
      )
    : defaultPolicy.openEnums
  return { rules, extensions, openEnums }
}

function toExtension(where: string, entry: JsonValue, rules: Map<string, Breaks>): Extension {
  refuseUnknownKeys(where, entry, ['keyword', 'on', 'compare', 'rule', 'title', 'breaks', 'openEnum'])
  const members = membersOf(entry)
  const keyword = textOf(where, 'keyword', members.get('keyword'))
  if (!keyword.startsWith('x-')) throw new UsageError(`${where}: keyword must begin with x-.`)
  const compare = oneOf(
    where,
    'compare',
    members.get('compare'),
    Object.keys(OUTCOMES),
  ) as Extension['compare']
  const rule = textOf(where, 'rule', members.get('rule'))
  const breaks = membersOf(members.get('breaks'))
  for (const outcome of OUTCOMES[compare]) {
    const name = `${rule}-${outcome}`
    if (rules.has(name)) throw new UsageError(`${where}: there is a rule ${name} already.`)
    // Without a verdict of its own, a value that is introduced is one that changed.
    const verdict = breaks.get(outcome) ?? (outcome === 'introduced' ? breaks.get('changed') : undefined)
    rules.set(name, toBreaks(`${where}, breaks.${outcome}`, verdict))
  }
  refuseUnknownKeys(`${where}, breaks`, members.get('breaks') ?? {}, OUTCOMES[compare])
  return {
    keyword,
    on: oneOf(where, 'on', members.get('on'), PLACES) as Extension['on'],
    compare,
    rule,
    title: members.has('title') ? textOf(where, 'title', members.get('title')) : keyword,
    openEnum: members.get('openEnum') === true,
  }
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
