import { type Comparison, note, type Place } from './comparison.ts'
import { type Contract, follow } from './document.ts'
import { canonicalJson, elementsOf, isObject, type JsonObject, type JsonValue, membersOf } from './json.ts'

const TEXTS = new Set(['description', 'bearerFormat'])

/** Schemes that must be presented together, each as one text, with its scopes. Empty: nothing need be presented. */
type Alternative = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Compares what a caller must present. Schemes are compared by what they mean on the wire, so that a scheme that is only
 * renamed, or listed in another order, is no change. No client breaks while each set of credentials that was enough still
 * is: a further alternative is harmless, and so is one that demands less.
 */
export function compareSecurity(
  comparison: Comparison,
  place: Place,
  base: JsonObject,
  head: JsonObject,
): void {
  const before = alternativesOf(comparison.base, base)
  const after = alternativesOf(comparison.head, head)
  const finding = { before: describe(before), after: describe(after) }
  if (finding.before.join() === finding.after.join()) return
  const stillEnough = before.every((known) => after.some((wanted) => suffices(known, wanted)))
  if (stillEnough) {
    note(comparison, 'security-relaxed', place, {
      ...finding,
      message: 'A caller may present something else or less.',
    })
  } else {
    const message = 'What a caller could present is no longer enough.'
    note(comparison, 'security-changed', place, { ...finding, message })
  }
}

/** Whether who presents `known` has presented all of `wanted`. */
function suffices(known: Alternative, wanted: Alternative): boolean {
  return [...wanted].every(([scheme, scopes]) => {
    const presented = known.get(scheme)
    return presented !== undefined && [...scopes].every((scope) => presented.has(scope))
  })
}

function alternativesOf(contract: Contract, operation: JsonObject): readonly Alternative[] {
  const alternatives = elementsOf(operation.security ?? contract.root.security)
  if (alternatives.length === 0) return [new Map()]
  return alternatives.map((alternative) => readAlternative(contract, alternative))
}

function readAlternative(contract: Contract, alternative: JsonValue): Alternative {
  const components = contract.root.components
  const schemes = membersOf(isObject(components) ? components.securitySchemes : undefined)
  return new Map(
    [...membersOf(alternative)].map(([name, scopes]) => {
      const scheme = follow(contract, schemes.get(name))
      const meaning = Object.entries(scheme ?? {}).filter(([key]) => !TEXTS.has(key) && !key.startsWith('x-'))
      const text = scheme ? canonicalJson(Object.fromEntries(meaning)) : `${name} (an unknown scheme)`
      return [text, new Set(elementsOf(scopes).map(String))]
    }),
  )
}

/** Sorted, so that the order means nothing. */
function describe(alternatives: readonly Alternative[]): readonly string[] {
  return alternatives
    .map((alternative) => {
      const parts = [...alternative].map(([scheme, scopes]) =>
        scopes.size > 0 ? `${scheme} with ${[...scopes].sort().join(' ')}` : scheme,
      )
      return parts.length === 0 ? 'nothing' : parts.sort().join(' and ')
    })
    .sort()
}
