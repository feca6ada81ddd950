// Reads the filterState of a search URL key by key, and records which keys were read. The other keys have no effect, and the response lists
// them.

import { type InputFault, inputFault, shownValue } from '@lotline/contract'
import { type JsonType, nameTypes } from '@lotline/contract/checks'
import { type Refusal, refuseInput } from '../../infrastructure/refusals.ts'
import type { NumberRange } from './area-search.ts'
import { type Fault, isFault, isRecord, ownValue, readRange } from './search-filters.ts'

/** Stops reading one filterState. The code that reads search URLs catches it. */
export class UnusableFilter extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

type StateEntry = Readonly<Record<string, unknown>>

export class FilterState {
  readonly place: string
  readonly #filters: StateEntry
  /** The fields that were read, by the name of their entry. */
  readonly #read = new Map<string, readonly string[]>()

  /** @param place where the filterState was sent, such as `searchUrls.0.url.filterState` */
  constructor(filters: StateEntry, place: string) {
    this.#filters = filters
    this.place = place
  }

  /** The value of a flag. undefined: the filterState has none. */
  flag(short: string, long: string): boolean | undefined {
    const value = this.#value(short, long)
    if (value === undefined || typeof value === 'boolean') return value
    throw this.#unusable(`${short}.value`, typeFault('boolean', value))
  }

  /** The value of an entry that holds one of several texts. undefined: the filterState has none. */
  choice<Text extends string>(short: string, long: string, texts: readonly Text[]): Text | undefined {
    const value = this.#value(short, long)
    if (value === undefined) return undefined
    const known = texts.find((text) => text === value)
    if (known !== undefined) return known
    throw this.#unusable(`${short}.value`, inputFault('choice', { choices: texts, value: shownValue(value) }))
  }

  range(short: string, long = short): NumberRange | undefined {
    const entry = this.#entry(short, long, ['min', 'max'])
    if (entry === undefined) return undefined
    const range: NumberRange | Fault | undefined = readRange(entry)
    if (isFault(range)) throw this.#unusable(short, range.fault)
    return range
  }

  #unusable(name: string, fault: InputFault): UnusableFilter {
    return new UnusableFilter(refuseInput('invalid_search_url', `${this.place}.${name}`, fault))
  }

  /** Marks an entry as unread, because its value has no effect after all. */
  drop(short: string, long = short): void {
    for (const name of [short, long]) this.#read.delete(name)
  }

  /** The names of entries, and of fields in entries that were read, which have a value and were not read. */
  unread(): string[] {
    return Object.entries(this.#filters).flatMap(([name, entry]) => {
      if (!saysSomething(entry)) return []
      const read = this.#read.get(name)
      if (read === undefined) return [name]
      return Object.entries(entry as StateEntry).flatMap(([field, value]) =>
        read.includes(field) || !saysSomething(value) ? [] : [`${name}.${field}`],
      )
    })
  }

  /** The names that have a value. */
  present(names: readonly string[]): string[] {
    return names.filter((name) => saysSomething(ownValue(this.#filters, name)))
  }

  #value(short: string, long: string): unknown {
    const entry = this.#entry(short, long, ['value'])
    return entry === undefined ? undefined : (ownValue(entry, 'value') ?? undefined)
  }

  /** URLs have the short names, the site's own requests the long ones. */
  #entry(short: string, long: string, fields: readonly string[]): StateEntry | undefined {
    for (const name of [short, long]) {
      const entry = ownValue(this.#filters, name) ?? undefined
      if (entry === undefined) continue
      if (!isRecord(entry)) throw this.#unusable(short, typeFault('object', entry))
      this.#read.set(name, fields)
      return entry
    }
    return undefined
  }
}

export function typeFault(type: JsonType, value: unknown): InputFault {
  return inputFault('type', { type: nameTypes([type]), value: shownValue(value) })
}

/** Whether a value has content: null has none, and neither does an object of nulls. */
export function saysSomething(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false
  return typeof value !== 'object' || Object.values(value).some((inner) => inner !== null)
}
