import { type Comparison, note } from './comparison.ts'
import { type Contract, follow } from './contract.ts'
import { canonicalJson, elementsOf, isObject, type JsonObject, type JsonValue, membersOf } from './json.ts'
import type { Place } from './place.ts'

const texts = new Set(['description', 'bearerFormat'])

/**
 * Compares what a caller must present. Schemes are compared by what they mean on the wire, so that one that is
 * only renamed, or listed in another order, is no change.
 */
export function compareSecurity(
  comparison: Comparison,
  place: Place,
  base: JsonObject,
  head: JsonObject,
): void {
  const before = demandsOf(comparison.base, base)
  const after = demandsOf(comparison.head, head)
  if (before.join() === after.join()) return
  note(comparison, 'security-changed', place, {
    before,
    after,
    message: 'A caller must present something else.',
  })
}

/** The alternatives among which a caller may choose, each as one text; sorted. */
function demandsOf(contract: Contract, operation: JsonObject): readonly string[] {
  const alternatives = elementsOf(operation.security ?? contract.root.security)
  if (alternatives.length === 0) return ['nothing']
  return alternatives.map((alternative) => describeAlternative(contract, alternative)).sort()
}

function describeAlternative(contract: Contract, alternative: JsonValue): string {
  const components = contract.root.components
  const schemes = membersOf(isObject(components) ? components.securitySchemes : undefined)
  const parts = [...membersOf(alternative)].map(([name, scopes]) => {
    const scheme = follow(contract, schemes.get(name))
    if (!scheme) return `${name} (an unknown scheme)`
    const meaning = Object.entries(scheme).filter(([key]) => !texts.has(key) && !key.startsWith('x-'))
    const scopeNames = elementsOf(scopes).map(String).sort()
    return canonicalJson({
      ...Object.fromEntries(meaning),
      ...(scopeNames.length > 0 && { scopes: scopeNames }),
    })
  })
  return parts.length === 0 ? 'nothing' : parts.sort().join(' and ')
}
