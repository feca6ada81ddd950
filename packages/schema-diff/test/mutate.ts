import type { JsonObject, JsonValue } from '../src/json.ts'

/** A contract that may be changed. */
export type Draft = { [key: string]: JsonValue }
type Key = string | number
/** Changes a copy of a contract in one respect. */
export type Mutation = (draft: Draft) => void

/** Sets what stands at the path. */
export function put(value: JsonValue, ...path: readonly Key[]): Mutation {
  return (draft) => {
    const [holder, key] = find(draft, path)
    holder[key] = value
  }
}

/** Takes away what stands at the path, which must be there. */
export function drop(...path: readonly Key[]): Mutation {
  return (draft) => {
    const [holder, key] = find(draft, path)
    if (!Object.hasOwn(holder, key)) throw new Error(`Nothing stands at ${path.join(' / ')}`)
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete holder[key]
  }
}

/** Puts an element at the end of the array at the path. */
export function append(value: JsonValue, ...path: readonly Key[]): Mutation {
  return (draft) => {
    const [holder, key] = find(draft, path)
    holder[key] = [...(holder[key] as readonly JsonValue[]), value]
  }
}

/** Gives what stands at the path another key beside its own. */
export function rename(name: string, ...path: readonly Key[]): Mutation {
  return (draft) => {
    const [holder, key] = find(draft, path)
    const value = holder[key]
    if (value === undefined) throw new Error(`Nothing stands at ${path.join(' / ')}`)
    delete holder[key]
    holder[name] = value
  }
}

export function all(...mutations: readonly Mutation[]): Mutation {
  return (draft) => {
    for (const mutate of mutations) mutate(draft)
  }
}

function find(draft: Draft, path: readonly Key[]): [Draft, string] {
  let here: Draft = draft
  for (const key of path.slice(0, -1)) {
    const next = here[String(key)]
    if (typeof next !== 'object' || next === null) throw new Error(`Nothing stands at ${path.join(' / ')}`)
    here = next as Draft
  }
  return [here, String(path.at(-1))]
}

/** A changed copy of a contract. */
export function mutated(contract: JsonObject, mutate: Mutation): JsonObject {
  const draft = structuredClone(contract) as Draft
  mutate(draft)
  return draft
}
