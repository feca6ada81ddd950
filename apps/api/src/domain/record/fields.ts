// Selects fields of a record by dotted paths. A path into a list applies to each element, unless it names an index; selected elements keep
// their order, without gaps. Paths that match nothing are skipped, and the response names them (`unknownFields` of @lotline/contract). Only
// properties of the record itself can be selected.
// Why: decisions/contract/fields-are-exact.md

import { inputFault, type Property, shownValue } from '@lotline/contract'
import { type Refusal, refuseAt, refuseInput } from '../../infrastructure/refusals.ts'

/** The selected parts of one value: all of it, or parts by name and by index. */
export interface SelectedParts {
  all: boolean
  readonly byName: Map<string, SelectedParts>
  readonly byIndex: Map<number, SelectedParts>
}

/** Parsed paths. undefined selects everything. */
export type FieldSelection = SelectedParts | undefined

export const MAX_FIELDS_LENGTH = 4000
export const MAX_FIELD_PATHS = 1000
export const MAX_FIELD_DEPTH = 16

const PATH = /^[^.,[\]]+(?:\[\d{1,9}\])*(?:\.[^.,[\]]+(?:\[\d{1,9}\])*)*$/
const PATH_STEP = /\[(\d+)\]|[^.[\]]+/g

/** Parses a comma-separated list of paths such as `zpid,address.city,priceHistory[0].price`. An empty list selects everything. */
export function parseFields(text: string): FieldSelection | Refusal {
  if (text.length > MAX_FIELDS_LENGTH) {
    const fault = inputFault('too_long', { bound: MAX_FIELDS_LENGTH, length: text.length })
    return refuseInput('invalid_parameter', 'fields', fault)
  }
  const paths = text
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '')
  if (paths.length === 0) return undefined
  if (paths.length > MAX_FIELD_PATHS) {
    const values = { bound: MAX_FIELD_PATHS, length: paths.length }
    return refuseAt('invalid_parameter', 'fields_paths', 'fields', values)
  }
  const root = emptySelection()
  for (const path of paths) {
    if (!PATH.test(path)) {
      return refuseAt('invalid_parameter', 'fields_path', 'fields', { value: shownValue(path) })
    }
    const steps = [...path.matchAll(PATH_STEP)]
    if (steps.length > MAX_FIELD_DEPTH) {
      const values = { bound: MAX_FIELD_DEPTH, value: shownValue(path) }
      return refuseAt('invalid_parameter', 'fields_depth', 'fields', values)
    }
    let at = root
    for (const [name, index] of steps) {
      at = index === undefined ? step(at.byName, name) : step(at.byIndex, Number(index))
    }
    at.all = true
  }
  return root
}

/** The selected part of a record, in the order of the paths. It is a record too, because none of its fields is required. */
export function project(record: Property, fields: FieldSelection): Property {
  return fields === undefined ? record : ((select(record, fields) as Property | undefined) ?? {})
}

/** undefined: nothing that is selected exists. */
function select(value: unknown, wanted: SelectedParts): unknown {
  if (wanted.all || value === null) return value
  if (Array.isArray(value)) return selectElements(value, wanted)
  if (typeof value !== 'object') return undefined
  const parts: [string, unknown][] = []
  for (const [name, inner] of wanted.byName) {
    if (!Object.hasOwn(value, name)) continue
    const part = select((value as Readonly<Record<string, unknown>>)[name], inner)
    if (part !== undefined) parts.push([name, part])
  }
  return Object.fromEntries(parts)
}

function selectElements(list: readonly unknown[], wanted: SelectedParts): readonly unknown[] {
  const ofEach = { ...emptySelection(), byName: wanted.byName }
  const applies = wanted.byName.size > 0
  const indexes = applies ? list.keys() : [...wanted.byIndex.keys()].sort((one, other) => one - other)
  const chosen: unknown[] = []
  for (const index of indexes) {
    if (index >= list.length) continue
    const ofThis = wanted.byIndex.get(index)
    const part = select(list[index], ofThis && applies ? addSelection(ofEach, ofThis) : (ofThis ?? ofEach))
    if (part !== undefined) chosen.push(part)
  }
  return chosen
}

/** The parts that are selected for every element, and in addition those for this one. */
function addSelection(one: SelectedParts, other: SelectedParts): SelectedParts {
  return {
    all: one.all || other.all,
    byName: mergeSelections(one.byName, other.byName),
    byIndex: mergeSelections(one.byIndex, other.byIndex),
  }
}

function mergeSelections<Key>(
  one: ReadonlyMap<Key, SelectedParts>,
  other: ReadonlyMap<Key, SelectedParts>,
): Map<Key, SelectedParts> {
  const both = new Map(one)
  for (const [key, wanted] of other) {
    const known = both.get(key)
    both.set(key, known === undefined ? wanted : addSelection(known, wanted))
  }
  return both
}

function step<Key>(from: Map<Key, SelectedParts>, key: Key): SelectedParts {
  const known = from.get(key)
  if (known) return known
  const added = emptySelection()
  from.set(key, added)
  return added
}

function emptySelection(): SelectedParts {
  return { all: false, byName: new Map(), byIndex: new Map() }
}
