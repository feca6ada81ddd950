// Compares the specification extensions that the policy names.

import { outcomeOfAmounts } from './amounts.ts'
import { compareChoices } from './choices.ts'
import { type Comparison, noteExtension, type Place } from './comparison.ts'
import { type Contract, follow } from './document.ts'
import { compareFieldsByValue } from './fields-by-value.ts'
import type { Holder } from './holder.ts'
import { type JsonValue, membersOf, sameJson, stringsOf } from './json.ts'
import type { Extension, ExtensionPlace, Policy } from './policy.ts'

/** Compares all extensions that the policy has for this kind of place. */
export function compareExtensions(
  comparison: Comparison,
  place: Place,
  on: ExtensionPlace,
  base: Holder,
  head: Holder,
): void {
  for (const extension of comparison.policy.extensions) {
    if (!extension.on.includes(on)) continue
    const { keyword, rule } = extension
    if (extension.compare === 'set') compareSets(comparison, place, extension, base, head)
    else if (extension.compare === 'choice') compareChoices(comparison, place, extension, base, head)
    else if (extension.compare === 'fieldsByValue') {
      compareFieldsByValue(comparison, place, extension, base, head)
    } else {
      const [before, after] = [base.one(keyword), head.one(keyword)]
      const outcome = outcomeOf(extension.compare, before, after)
      if (outcome === undefined) continue
      noteExtension(comparison, `${rule}-${outcome}`, place, {
        before,
        after,
        message: `${extension.title} (${keyword}) ${outcome === 'changed' ? 'is another one' : `is ${outcome}`}.`,
      })
    }
  }
}

/** @returns undefined when the two mean the same */
function outcomeOf(
  compare: 'value' | 'presence' | 'amount' | 'condition',
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): string | undefined {
  if (sameJson(before, after)) return undefined
  if (compare === 'amount') return outcomeOfAmounts(before, after)
  if (compare === 'presence') {
    if ((before === true) === (after === true)) return undefined
    return after === true ? 'introduced' : 'dropped'
  }
  if (before === undefined) return 'introduced'
  return compare === 'condition' && after === undefined ? 'dropped' : 'changed'
}

function compareSets(
  comparison: Comparison,
  place: Place,
  { keyword, rule, title, inputs }: Extension,
  base: Holder,
  head: Holder,
): void {
  const before = stringsOf(base.one(keyword))
  const after = stringsOf(head.one(keyword))
  // `error-code` → `code`: what the location calls a value.
  const word = rule.split('-').at(-1)
  const at = (value: string) => ({ ...place, segments: [...place.segments, `${word} ${value}`] })
  for (const value of before.filter((known) => !after.includes(known))) {
    noteExtension(comparison, `${rule}-removed`, at(value), {
      before: value,
      message: `${title} is no longer listed.`,
    })
  }
  for (const value of after.filter((listed) => !before.includes(listed))) {
    // No caller sent what was no input.
    if (inputs && !base.takes(value)) continue
    noteExtension(comparison, `${rule}-added`, at(value), {
      after: value,
      message: `${title} is listed too.`,
    })
  }
}

/** The values that `openEnum` extensions list anywhere in a document: an enum that has them all is open. */
export function openEnumCatalogues(contract: Contract, policy: Policy): Comparison['catalogues'] {
  const extensions = policy.extensions.filter(({ openEnum, compare }) => openEnum && compare === 'set')
  return extensions.map(({ keyword, rule }) => {
    const values = new Set<string>()
    for (const item of membersOf(contract.root.paths).values()) {
      for (const operation of membersOf(follow(contract, item)).values()) {
        for (const response of membersOf(membersOf(operation).get('responses')).values()) {
          for (const value of stringsOf(follow(contract, response)?.[keyword])) values.add(value)
        }
      }
    }
    return { rule: `${rule}-added`, values }
  })
}
