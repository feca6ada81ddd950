/**
 * The compatibility policy of the contract, whole: every kind of change that is noticed, and whom it breaks.
 * `request` covers what callers send, `response` what they receive. A webhook is turned round: its payload is
 * something they receive. The files beside this one only find changes; the verdict is always looked up here.
 */
export type Direction = 'request' | 'response' | 'none'
type Breaks = 'always' | 'request' | 'response' | 'never'

const policy = {
  // Addresses. Callers have them written into their programs.
  'path-removed': 'always',
  'path-added': 'never',
  'path-parameter-renamed': 'always', // typed clients fill path parameters by name
  'method-removed': 'always',
  'method-added': 'never',
  'webhook-removed': 'always',
  'webhook-added': 'never',

  // What an operation is, costs and demands. Any difference counts, a lower price included.
  'operation-id-changed': 'always', // generated clients are named by it
  'price-changed': 'always',
  'security-changed': 'always',
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

  // Responses. Callers match on the codes they know, so that one more harms nobody.
  'response-removed': 'always',
  'response-added': 'never',
  'header-removed': 'always',
  'header-added': 'never',
  'header-became-required': 'request',
  'header-became-optional': 'response',
  'error-code-removed': 'always',
  'error-code-added': 'never',
  'error-code-changed': 'request', // the code that answers a wrong value (`x-error-code`)

  // Fields of an object
  'field-removed': 'always',
  'field-added': 'never',
  'required-field-added': 'request',
  'field-became-required': 'request',
  'field-became-optional': 'response',
  'additional-fields-closed': 'request',
  'additional-fields-opened': 'never',
  'additional-fields-removed': 'always', // a stated promise to carry unknown fields is withdrawn

  // Values: an input may only be widened, an output only narrowed
  'type-narrowed': 'request',
  'type-widened': 'response',
  'type-changed': 'always',
  'nullability-removed': 'request',
  'nullability-added': 'response',
  'enum-value-removed': 'always', // in an output too: programs wait for a value that no longer comes
  'enum-value-added': 'response',
  'enum-introduced': 'request',
  'enum-dropped': 'response',
  'alternative-removed': 'request', // of a oneOf or anyOf
  'alternative-added': 'response',
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
  'constraint-changed': 'always', // a keyword whose effect is not judged, e.g. `not` or `patternProperties`
} as const satisfies Record<string, Breaks>

export type RuleName = keyof typeof policy

export function isRuleName(name: string): name is RuleName {
  return Object.hasOwn(policy, name)
}

/** Whether a change of this rule breaks callers when it happens to what they send, or to what they receive. */
export function isBreaking(rule: RuleName, direction: Direction): boolean {
  const breaks: Breaks = policy[rule]
  return breaks === 'always' || breaks === direction
}

export const ruleNames = Object.keys(policy) as RuleName[]
