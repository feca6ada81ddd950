// Bodies that differ from a given one in one place: every field of the schema, with the values that fit it and values that
// do not, without the field, and with fields that are not known.

import { type Node, resolve } from '@lotline/contract/nodes'
import { partsOf, unique, valuesOf } from './values.ts'

export type BodyPath = readonly (string | number)[]

/** A change of one place in a body: the value to put there, or undefined to remove the field. */
export interface BodyChange {
  readonly path: BodyPath
  readonly value: unknown
}

/** Deeper fields are positions of areas, which have tables of their own. */
const MAX_DEPTH = 6

export function changesOf(schema: unknown, bodies: readonly unknown[]): BodyChange[] {
  const places = placesOf(schema, [])
  return places.flatMap(({ path, node, isObject }) => {
    const shown = bodies.map((body) => valueAt(body, path)).filter((value) => value !== undefined)
    const values = unique([...shown, ...valuesOf(node)])
    const field: BodyChange[] =
      path.length === 0 ? [] : [...values, undefined].map((value) => ({ path, value }))
    const unknown = isObject ? [{ path: [...path, 'pirce'], value: 1 }] : []
    return [...field, ...unknown, ...choicesOf(node, path, bodies)]
  })
}

interface PlacedValue {
  readonly path: BodyPath
  readonly node: unknown
  readonly isObject: boolean
}

function placesOf(node: unknown, path: BodyPath): PlacedValue[] {
  const parts = partsOf(node)
  const fields = new Map(parts.flatMap((part) => Object.entries((part.properties ?? {}) as Node)))
  const items = parts.find((part) => part.items !== undefined)?.items
  const here = { path, node, isObject: fields.size > 0 }
  if (path.length >= MAX_DEPTH) return [here]
  return [
    here,
    ...[...fields].flatMap(([name, field]) => placesOf(field, [...path, name])),
    ...(items === undefined ? [] : placesOf(items, [...path, 0])),
  ]
}

/** Where one of several fields must be given: none of them, each alone, and each two. */
function choicesOf(node: unknown, path: BodyPath, bodies: readonly unknown[]): BodyChange[] {
  const { properties = {}, 'x-needs-one-of': demand } = resolve(node) as {
    properties?: Node
    'x-needs-one-of'?: { readonly fields: readonly string[] }
  }
  if (demand === undefined) return []
  const [given] = bodies.map((body) => valueAt(body, path)).filter((value) => value !== undefined)
  const others = Object.entries((given ?? {}) as Node).filter(([name]) => !demand.fields.includes(name))
  const sampleOf = (name: string) =>
    bodies.map((body) => valueAt(body, [...path, name])).find((value) => value !== undefined) ??
    valuesOf(properties[name])[0]
  const sets = [
    [],
    ...demand.fields.flatMap((one, index) => [
      [one],
      ...demand.fields.slice(index + 1).map((two) => [one, two]),
    ]),
  ]
  return sets.map((names) => ({
    path,
    value: Object.fromEntries([...others, ...names.map((name) => [name, sampleOf(name)])]),
  }))
}

export function valueAt(body: unknown, path: BodyPath): unknown {
  return path.reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? (at as never)[step] : undefined,
    body,
  )
}

/** A copy with the change. What is absent on the way is made. */
export function withChange(body: unknown, { path, value }: BodyChange): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  const isIndex = typeof step === 'number'
  const inner = valueAt(body, [step])
  const changed = rest.length === 0 ? value : withChange(inner, { path: rest, value })
  if (isIndex)
    return [changed, ...(Array.isArray(body) ? body.slice(1) : [])].filter((item) => item !== undefined)
  const own = typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as object) : {}
  const { [step]: _, ...others } = own as Record<string, unknown>
  return changed === undefined ? others : { ...others, [step]: changed }
}
