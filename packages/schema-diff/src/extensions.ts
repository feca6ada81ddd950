// Compares the specification extensions that the policy names.

import { type Comparison, noteExtension, type Place } from './comparison.ts'
import { type Contract, follow } from './document.ts'
import { isObject, type JsonObject, type JsonValue, membersOf, sameJson, stringsOf } from './json.ts'
import type { Extension, Policy } from './policy.ts'

/** Reads the value of an extension; where schemas are joined, the one in force. */
export type ReadKeyword = (keyword: string) => JsonValue | undefined

/** Compares all extensions that the policy has for this kind of place. */
export function compareExtensions(
  comparison: Comparison,
  place: Place,
  on: Extension['on'],
  base: ReadKeyword,
  head: ReadKeyword,
): void {
  for (const extension of comparison.policy.extensions) {
    if (extension.on !== on) continue
    const before = base(extension.keyword)
    const after = head(extension.keyword)
    if (extension.compare === 'set') compareSets(comparison, place, extension, before, after)
    else if (!sameJson(before, after)) {
      const outcome =
        extension.compare === 'amount'
          ? outcomeOfAmounts(before, after)
          : before === undefined
            ? 'introduced'
            : 'changed'
      if (outcome === undefined) continue
      noteExtension(comparison, `${extension.rule}-${outcome}`, place, {
        before,
        after,
        message: `${extension.title} (${extension.keyword}) ${outcome === 'changed' ? 'is another one' : `is ${outcome}`}.`,
      })
    }
  }
}

export function readFrom(node: JsonObject): ReadKeyword {
  return (keyword) => node[keyword]
}

function compareSets(
  comparison: Comparison,
  place: Place,
  { rule, title }: Extension,
  base: JsonValue | undefined,
  head: JsonValue | undefined,
): void {
  const before = stringsOf(base)
  const after = stringsOf(head)
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
    noteExtension(comparison, `${rule}-added`, at(value), {
      after: value,
      message: `${title} is listed too.`,
    })
  }
}

/** @returns undefined when the two mean the same, such as a part whose numbers are all 0 and no such part */
function outcomeOfAmounts(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): 'raised' | 'lowered' | 'changed' | undefined {
  if (before === undefined || after === undefined) return 'changed'
  const steps = compareAmounts(withoutNothing(before), withoutNothing(after))
  if (steps.has('changed')) return 'changed'
  if (steps.has('raised')) return 'raised'
  return steps.has('lowered') ? 'lowered' : undefined
}

type Step = 'raised' | 'lowered' | 'changed'

function compareAmounts(before: JsonValue | undefined, after: JsonValue | undefined): Set<Step> {
  if (sameJson(before, after)) return new Set()
  // What has no number above 0 is gone by now, so that what only one side has costs something.
  if (before === undefined) return new Set(['raised'])
  if (after === undefined) return new Set(['lowered'])
  if (typeof before === 'number' && typeof after === 'number') {
    return new Set([after > before ? 'raised' : 'lowered'])
  }
  if (!isObject(before) || !isObject(after)) return new Set(['changed'])
  const [left, right] = [membersOf(before), membersOf(after)]
  return new Set(
    [...new Set([...left.keys(), ...right.keys()])].flatMap((key) => [
      ...compareMembers(left.get(key), right.get(key)),
    ]),
  )
}

function compareMembers(before: JsonValue | undefined, after: JsonValue | undefined): Set<Step> {
  const isAmount = (value: JsonValue | undefined) =>
    value === undefined || typeof value === 'number' || isObject(value)
  if (sameJson(before, after)) return new Set()
  return isAmount(before) && isAmount(after) ? compareAmounts(before, after) : new Set(['changed'])
}

/** Without zeros, and without objects that have no number but zeros: they cost nothing, whatever unit they name. */
function withoutNothing(value: JsonValue): JsonValue | undefined {
  if (value === 0) return undefined
  if (!isObject(value)) return value
  const members = Object.entries(value).flatMap(([key, member]) => {
    const kept = withoutNothing(member)
    return kept === undefined ? [] : [[key, kept] as const]
  })
  const costs = members.some(([, member]) => typeof member === 'number' || isObject(member))
  return costs ? Object.fromEntries(members) : undefined
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
