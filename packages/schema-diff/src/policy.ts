// The compatibility policy as data: each kind of change that the comparison reports, and whom it breaks. The other files
// only find changes; the verdict is always looked up here. A policy file can override each line and add rules for the
// specification extensions (`x-…`) of a project.

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
  'scope-removed': 'always', // of an OAuth flow: clients ask for it
  'scope-added': 'never',
  'deprecation-added': 'never',
  'deprecation-removed': 'never',

  // Parameters
  'parameter-removed': 'always',
  'parameter-added': 'never',
  'required-parameter-added': 'request',
  'parameter-moved': 'always',
  'parameter-became-required': 'request',
  'parameter-became-optional': 'response',
  'empty-value-refused': 'request', // allowEmptyValue of a parameter in the query
  'empty-value-accepted': 'response',
  'serialization-changed': 'always', // style, explode or allowReserved of a parameter or header

  // Bodies
  'body-removed': 'always',
  'body-added': 'never',
  'required-body-added': 'request',
  'body-became-required': 'request',
  'body-became-optional': 'response',
  'content-type-removed': 'always',
  'content-type-added': 'never',
  'encoding-changed': 'always', // how a field of a form is written

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
  'alternatives-became-exclusive': 'request', // anyOf became oneOf, which refuses what fits two alternatives
  'alternatives-became-inclusive': 'response',
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
  'multiple-of-narrowed': 'request', // a multiple of the one before
  'multiple-of-widened': 'response',
  'multiple-of-changed': 'always',
  'unique-items-introduced': 'request',
  'unique-items-dropped': 'response',
  'default-changed': 'request',
  'constraint-introduced': 'request', // a further demand by `not`, `if`, `contains` …
  'constraint-dropped': 'response',
  'constraint-changed': 'always', // such a demand says something else, or a keyword is not known
} as const satisfies Record<string, Breaks>

/** A rule of the table above. The rules of extensions are named by the policy file. */
export type RuleName = keyof typeof defaultRules

/** The outcomes of each way to compare an extension; the rule is `<rule>-<outcome>`. README.md describes the values. */
export const OUTCOMES = {
  /** Any difference is a change. A value where there was none is introduced; the policy may leave that outcome out. */
  value: ['changed', 'introduced'],
  /** Whether it is `true`. */
  presence: ['introduced', 'dropped'],
  /** A list of strings. */
  set: ['added', 'removed'],
  /** Lists of fields by the values of another field: which of them each kind of object uses. */
  fieldsByValue: ['added', 'removed'],
  /** Numbers that callers want low, alone or inside objects. A part in which every number is 0 counts as absent. */
  amount: ['raised', 'lowered', 'changed'],
  /** Of some fields of an object, at least one or at most one. */
  choice: ['narrowed', 'widened', 'changed'],
  /** The name of a parameter: no call without it gets the response. */
  condition: ['introduced', 'dropped', 'changed'],
} as const

export const PLACES = ['operation', 'response', 'content', 'header', 'input', 'output'] as const

export type ExtensionPlace = (typeof PLACES)[number]

/** A specification extension that means something to callers. */
export interface Extension {
  /** Such as `x-price`. */
  readonly keyword: string
  /**
   * Where it is written: on operations, on responses, on their headers, on content types, or on the schemas of what callers
   * send (`input`) or receive (`output`).
   */
  readonly on: readonly ExtensionPlace[]
  readonly compare: keyof typeof OUTCOMES
  /** The first part of the rule's name. */
  readonly rule: string
  /** What messages call it, such as "The price". */
  readonly title: string
  /** For a `set`: an enum in a response that lists every value the set has anywhere is an open enum. */
  readonly openEnum: boolean
  /** For a `set` on operations: the values are places in the body, and one that is new itself was used by no caller. */
  readonly inputs: boolean
  /** For `fieldsByValue`: the field whose value selects the list. */
  readonly by: string
}

export interface Policy {
  /** By rule, those of the extensions included. */
  readonly rules: ReadonlyMap<string, Breaks>
  readonly extensions: readonly Extension[]
  /** Extensions that are not compared, with the reason. */
  readonly ignored: ReadonlyMap<string, string>
  /** Whether documents with extensions that nothing here names are refused. */
  readonly refusesUnknown: boolean
  /** Keywords that declare an enum open: with the value true beside an `enum`, or with the list of values. */
  readonly openEnums: readonly string[]
}

export const defaultPolicy: Policy = {
  rules: new Map(Object.entries(defaultRules)),
  extensions: [],
  ignored: new Map(),
  refusesUnknown: false,
  openEnums: ['x-extensible-enum', 'x-open-enum'],
}

/** Whether a change of this rule breaks callers when it happens to what they send, or to what they receive. */
export function isBreaking(policy: Policy, rule: string, direction: Direction): boolean {
  const breaks = policy.rules.get(rule)
  if (breaks === undefined) throw new Error(`The policy has no rule ${rule}.`)
  return breaks === 'always' || breaks === direction
}
