import { type Comparison, note, type Place } from './comparison.ts'
import { DEMANDS } from './demands.ts'
import { canonicalJson, type JsonValue } from './json.ts'
import type { RuleName } from './policy.ts'
import { canonicalSchema, statedBy } from './schemas.ts'
import { type JsonType, permitsType, type Shape } from './shape.ts'

/** Constraints that hold or do not hold; of two different ones neither is known to contain the other. */
const constraints = [
  { keyword: 'pattern', rule: 'pattern', of: ['string'] },
  { keyword: 'format', rule: 'format', of: ['string', 'integer'] },
  { keyword: 'multipleOf', rule: 'multiple-of', of: ['integer'] },
] as const satisfies readonly { keyword: string; rule: string; of: readonly JsonType[] }[]

/** Compares patterns, formats, multiples and the uniqueness of items. */
export function compareConstraints(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  for (const { keyword, rule, of } of constraints) {
    if (!of.some((type) => permitsType(base.types, type) && permitsType(head.types, type))) continue
    const before = statementsOf(base, keyword)
    const after = statementsOf(head, keyword)
    const introduced = after.some((statement) => !before.includes(statement))
    const dropped = before.some((statement) => !after.includes(statement))
    if (!introduced && !dropped) continue
    const finding = { before: before.join(' and ') || null, after: after.join(' and ') || null }
    if (introduced && dropped && keyword === 'multipleOf') {
      note(comparison, rulesOfMultiples(before, after), place, {
        ...finding,
        message: 'It must be a multiple of another number.',
      })
    } else if (introduced && dropped) {
      note(comparison, `${rule}-changed`, place, { ...finding, message: `The ${keyword} is another one.` })
    } else if (introduced) {
      note(comparison, `${rule}-introduced`, place, { ...finding, message: `There is a ${keyword} now.` })
    } else {
      note(comparison, `${rule}-dropped`, place, { ...finding, message: `The ${keyword} is gone.` })
    }
  }
  compareUniqueness(comparison, place, base, head)
}

/** A multiple of 10 is also a multiple of 5, so the new value is narrower. */
function rulesOfMultiples(before: readonly string[], after: readonly string[]): RuleName {
  const [one, ...others] = before.map(Number)
  const [two, ...more] = after.map(Number)
  if (one === undefined || two === undefined || others.length + more.length > 0) return 'multiple-of-changed'
  if (Number.isInteger(one / two)) return 'multiple-of-widened'
  return Number.isInteger(two / one) ? 'multiple-of-narrowed' : 'multiple-of-changed'
}

function compareUniqueness(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  const before = statedBy(base.atoms, 'uniqueItems').includes(true)
  const after = statedBy(head.atoms, 'uniqueItems').includes(true)
  if (before === after) return
  const message = after ? 'The items must be unique now.' : 'The items may repeat now.'
  note(comparison, after ? 'unique-items-introduced' : 'unique-items-dropped', place, {
    before,
    after,
    message,
  })
}

function statementsOf(shape: Shape, keyword: string): readonly string[] {
  const texts = statedBy(shape.atoms, keyword).map((value) =>
    typeof value === 'string' ? value : canonicalJson(value),
  )
  return [...new Set(texts)].sort()
}

/** Keywords that are compared elsewhere, or say nothing about the value. */
const judged = new Set([
  'type',
  'enum',
  'const',
  'allOf',
  'oneOf',
  'anyOf',
  '$ref',
  'nullable',
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'unevaluatedProperties',
  'discriminator',
  'items',
  'readOnly',
  'writeOnly',
  'default',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'title',
  'description',
  'example',
  'examples',
  'deprecated',
  'externalDocs',
  'xml',
  '$comment',
  '$id',
  '$schema',
  '$anchor',
  '$defs',
  '$vocabulary',
  '$dynamicAnchor',
  ...DEMANDS.flat(),
])

/** Any other keyword (`prefixItems`, `contentSchema` …) must say the same on both sides. */
export function compareUnjudged(comparison: Comparison, place: Place, base: Shape, head: Shape): void {
  const keywords = new Set([...base.atoms, ...head.atoms].flatMap((atom) => Object.keys(atom)))
  for (const keyword of keywords) {
    if (judged.has(keyword) || keyword.startsWith('x-')) continue
    const before = unjudged(base, keyword)
    const after = unjudged(head, keyword)
    if (canonicalJson(before) === canonicalJson(after)) continue
    const message = `The keyword ${keyword} says something else.`
    note(comparison, 'constraint-changed', place, { before, after, message })
  }
}

function unjudged({ contract, atoms }: Shape, keyword: string): JsonValue {
  const statements = statedBy(atoms, keyword).map((value) => canonicalSchema(contract, value))
  return statements.length < 2 ? (statements[0] ?? null) : statements
}
