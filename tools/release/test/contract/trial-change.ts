// Reads spec/trial-changes.yaml and makes its changes to a copy of the contract. The head of that file describes its form.

import { fileURLToPath } from 'node:url'
import { readJsonOrYaml } from '@lotline/schema-diff'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type DocumentDraft = { [key: string]: Json }
type Key = string | number

export interface EditStep {
  readonly at: readonly Key[]
  readonly add?: Json
  readonly replace?: Json
  readonly append?: readonly Json[]
  readonly remove?: true
}

export interface TrialChange {
  readonly change: string
  readonly judged: readonly string[]
  readonly steps: readonly EditStep[]
}

export async function readTrialChanges(): Promise<readonly TrialChange[]> {
  const file = fileURLToPath(new URL('../../../../spec/trial-changes.yaml', import.meta.url))
  return (await readJsonOrYaml(file)) as unknown as readonly TrialChange[]
}

const ACTIONS = ['add', 'replace', 'append', 'remove'] as const

/** Faults of the form of an entry, in words. */
export function faultsOf({ change, judged, steps, ...others }: TrialChange): readonly string[] {
  const faults = Object.keys(others).map((key) => `unknown key ${key}`)
  if (typeof change !== 'string' || !change.endsWith('.')) faults.push('change must be a sentence')
  if (!Array.isArray(judged) || new Set(judged).size !== judged.length)
    faults.push('judged must be a list of rules, each once')
  if (!Array.isArray(steps) || steps.length === 0) return [...faults, 'there must be a step']
  for (const [index, { at, ...action }] of steps.entries()) {
    const keys = Object.keys(action)
    if (keys.length !== 1 || !ACTIONS.includes(keys[0] as (typeof ACTIONS)[number]))
      faults.push(`step ${index + 1} must have at and one of ${ACTIONS.join(', ')}`)
    if (!Array.isArray(at) || at.length === 0) faults.push(`step ${index + 1}: at must be a list of keys`)
  }
  return faults
}

/**
 * Makes the steps of changes, one after the other, to a copy of the contract.
 * @throws Error that names the place, when a step does not fit the contract
 */
export function withChanges<Contract extends object>(
  contract: Contract,
  changes: readonly TrialChange[],
): Contract {
  const draft = structuredClone(contract) as unknown as DocumentDraft
  for (const { steps } of changes) for (const step of steps) take(draft, step)
  return draft as unknown as Contract
}

function take(draft: DocumentDraft, step: EditStep): void {
  const place = step.at.join(' → ')
  const holder = step.at.slice(0, -1).reduce<DocumentDraft>((here, key) => {
    const next = here[indexIn(draft, here, key)]
    if (typeof next !== 'object' || next === null) throw new Error(`${place}: ${key} leads nowhere`)
    return follow(draft, next)
  }, draft)
  const key = indexIn(draft, holder, step.at.at(-1)!)
  const isThere = Object.hasOwn(holder, key)
  if ('add' in step && isThere) throw new Error(`${place} is there already`)
  if (!('add' in step) && !isThere) throw new Error(`${place} is not there`)
  if (step.append !== undefined) {
    const list = holder[key]
    if (!Array.isArray(list)) throw new Error(`${place} is not a list`)
    list.push(...structuredClone(step.append as Json[]))
  } else if (step.remove) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete holder[key]
  } else holder[key] = structuredClone((step.add ?? step.replace ?? null) as Json)
}

/** Where an element of a list is: a parameter is found by its name, too. */
function indexIn(draft: DocumentDraft, holder: DocumentDraft, key: Key): string {
  if (!Array.isArray(holder) || typeof key === 'number') return String(key)
  return String(holder.findIndex((item) => follow(draft, item).name === key))
}

/** What a node is, or what its `$ref` leads to. */
function follow(draft: DocumentDraft, node: Json): DocumentDraft {
  const { $ref } = node as DocumentDraft
  if (typeof $ref !== 'string') return node as DocumentDraft
  const keys = $ref.slice(2).split('/')
  const target = keys.reduce<Json>(
    (here, key) => (here as DocumentDraft)[key.replaceAll('~1', '/').replaceAll('~0', '~')]!,
    draft,
  )
  return follow(draft, target)
}
