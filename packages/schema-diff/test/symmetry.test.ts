import { expect, test } from 'vitest'
import { compareDocuments as compareBy } from '../src/compare-documents.ts'
import type { Change } from '../src/comparison.ts'
import { type Contract, toContract } from '../src/document.ts'
import { isArray, isObject, type JsonObject, type JsonValue } from '../src/json.ts'
import { exampleContract } from './example-contract.ts'
import { examplePolicy } from './example-policy.ts'
import { type Draft, mutated } from './mutate.ts'
import { pick, randomFrom, shuffled } from './random.ts'

const compareDocuments = (base: Contract, head: Contract) => compareBy(base, head, examplePolicy)
const example = toContract('example', exampleContract)

test('a contract compared with itself has no changes', () => {
  expect(compareDocuments(example, example)).toEqual({ breaking: [], harmless: [] })
})

test('the order of keys has no effect', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const reordered = toContract('reordered', reorder(exampleContract, randomFrom(seed)) as JsonObject)
    expect(compareDocuments(example, reordered), `seed ${seed}`).toEqual({ breaking: [], harmless: [] })
  }
})

test('a removal that breaks clients breaks none in the reverse direction', () => {
  const sites = removableParts(exampleContract)
  expect(sites.length).toBeGreaterThan(80)
  for (const site of sites) expectMirrored([site])
})

test('removals and additions mirror each other for any number of simultaneous changes', () => {
  const sites = removableParts(exampleContract)
  for (let seed = 1; seed <= 200; seed++) {
    const random = randomFrom(seed)
    expectMirrored(Array.from({ length: 2 + Math.floor(random() * 6) }, () => pick(sites, random)))
  }
})

/** A part of the contract that one can take away: where its holder stands, and its key or value there. */
interface ChangePlace {
  readonly holder: readonly string[]
  readonly part: string
}

function expectMirrored(sites: readonly ChangePlace[]) {
  const reduced = toContract(
    'reduced',
    mutated(exampleContract, (draft) => {
      for (const site of sites) remove(draft, site)
    }),
  )
  const about = JSON.stringify(sites)
  const gone = compareDocuments(example, reduced)
  const come = compareDocuments(reduced, example)
  expect(come.breaking, about).toEqual([])
  expect(places(come.harmless), about).toEqual(
    places(gone.breaking).map((place) => place.replace('-removed', '-added')),
  )
}

function places(changes: readonly Change[]) {
  return changes.map(({ rule, location }) => `${rule} at ${location}`).sort()
}

const holders = new Set([
  'paths',
  'webhooks',
  'responses',
  'headers',
  'content',
  'properties',
  'x-error-codes',
  'parameters',
])
const methods = new Set(['get', 'post', 'delete'])
const mustBeSent = new Set(['filters', 'west', 'by'])

/** All parts whose removal and return mirror each other: what must be sent does not, nor what is never compared. */
function removableParts(contract: JsonObject): readonly ChangePlace[] {
  const sites: ChangePlace[] = []
  const walk = (node: JsonValue, path: readonly string[]) => {
    const last = path.at(-1) ?? ''
    if (isArray(node)) {
      if (last === 'x-error-codes') for (const code of node) sites.push({ holder: path, part: String(code) })
      if (last === 'parameters') {
        for (const parameter of node) {
          if (isObject(parameter) && parameter.name && !parameter.required) {
            sites.push({ holder: path, part: String(parameter.name) })
          }
        }
      }
      for (const [index, item] of node.entries()) walk(item, [...path, String(index)])
    } else if (isObject(node)) {
      for (const [key, value] of Object.entries(node)) {
        const isPart =
          (holders.has(last) && path[0] !== 'components') || methods.has(key) || last === 'properties'
        // A success that comes back is a new one: clients that did not know it may take it for another.
        const isSuccess = last === 'responses' && /^2/.test(key)
        if (isPart && !mustBeSent.has(key) && !isSuccess) sites.push({ holder: path, part: key })
        walk(value, [...path, key])
      }
    }
  }
  walk(contract, [])
  // `Excluded` stands below `not`, where taking a field away is neither narrower nor wider.
  return sites.filter(({ holder }) => !holder.includes('Excluded'))
}

function remove(draft: Draft, { holder, part }: ChangePlace): void {
  let parent: JsonValue | undefined
  let here: JsonValue | undefined = draft
  for (const key of holder) {
    parent = here
    here = isArray(here) ? here[Number(key)] : isObject(here) ? here[key] : undefined
  }
  if (isArray(here)) {
    const kept = here.filter((item) => item !== part && !(isObject(item) && item.name === part))
    ;(parent as Draft)[holder.at(-1) ?? ''] = kept
  } else if (isObject(here)) {
    delete (here as Draft)[part]
    // A required field that is not described would still be a field.
    const owner = parent as Draft
    if (holder.at(-1) === 'properties' && isArray(owner.required)) {
      owner.required = owner.required.filter((name) => name !== part)
    }
  }
}

function reorder(node: JsonValue, random: () => number): JsonValue {
  if (isArray(node)) return node.map((item) => reorder(item, random))
  if (!isObject(node)) return node
  return Object.fromEntries(
    shuffled(Object.entries(node), random).map(([key, value]) => [key, reorder(value, random)]),
  )
}
