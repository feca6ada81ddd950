import { type Comparison, match, note, type Place, placeOf } from './comparison.ts'
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
      const text = scheme ? meaningOf(scheme) : `${name} (an unknown scheme)`
      return [text, new Set(elementsOf(scopes).map(String))]
    }),
  )
}

/** What a scheme is on the wire. The scopes of its flows are compared by themselves. */
function meaningOf(scheme: JsonObject): string {
  const { flows, ...others } = scheme
  const flowsByName = [...membersOf(flows)].map(([flow, node]) => {
    const { scopes: _, ...rest } = isObject(node) ? node : {}
    return [flow, meaningful(rest)] as const
  })
  const name = scheme.in === 'header' ? { name: String(scheme.name).toLowerCase() } : {}
  return canonicalJson({
    ...meaningful(others),
    ...name,
    ...(flows !== undefined && { flows: Object.fromEntries(flowsByName) }),
  })
}

function meaningful(node: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !TEXTS.has(key) && !key.startsWith('x-')))
}

/** Compares the scopes that the flows of each OAuth scheme offer. Their texts mean nothing. */
export function compareScopes(comparison: Comparison): void {
  const schemes = match(schemesOf(comparison.base), schemesOf(comparison.head))
  for (const [, before, after] of schemes.kept) {
    const flows = match(scopesOf(before), scopesOf(after))
    for (const [flow, base, head] of flows.kept) {
      const place = placeOf(`security ${flow}`)
      for (const scope of base.filter((known) => !head.includes(known))) {
        note(comparison, 'scope-removed', place, { before: scope, message: 'The scope is gone.' })
      }
      for (const scope of head.filter((listed) => !base.includes(listed))) {
        note(comparison, 'scope-added', place, { after: scope, message: 'The scope is new.' })
      }
    }
  }
}

/** By what they are on the wire, as far as they have flows. */
function schemesOf(contract: Contract): ReadonlyMap<string, JsonObject> {
  const { components } = contract.root
  const schemes = membersOf(isObject(components) ? components.securitySchemes : undefined)
  return new Map(
    [...schemes.values()].flatMap((node) => {
      const scheme = follow(contract, node)
      return scheme?.flows === undefined ? [] : [[meaningOf(scheme), scheme] as const]
    }),
  )
}

function scopesOf({ flows }: JsonObject): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...membersOf(flows)].map(([flow, node]) => [flow, [...membersOf(membersOf(node).get('scopes')).keys()]]),
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
