// Asks a feed for records by their keys. Its silence about a key is a fact only if the same response has a key that the feed just listed:
// a server that ignores or misunderstands the question would otherwise empty the data set.
// Why: decisions/data/withdrawn-only-when-asked-by-key.md

import type { FeedRun } from './apply-page.ts'
import {
  type FeedRecord,
  isListed,
  type KeyLiteral,
  keyOf,
  queryUrl,
  quote,
  readPage,
  readRecord,
  recordUrl,
} from './reso-feed.ts'
import { isUnsupported, type KeyQueryForm } from './server-abilities.ts'
import { FeedFailure } from './upstream.ts'

/** Keys of one call, by the form of the question. An address has at most 200 × 50 characters for its keys. */
const KEYS_AT_A_TIME: Readonly<Record<KeyQueryForm, number>> = { in: 50, or: 25, address: 1 }
/** The greatest number of keys that `read` takes. */
export const MAX_KEYS = 50

/** Keys that the feed has just listed, in its own form. */
export type ListedKeys = readonly { readonly key: string; readonly literal: KeyLiteral }[]

export interface KeyReader {
  /**
   * The records of these keys that the feed has. It does not have the others. undefined: the server cannot be asked by key.
   *
   * @param keys at most MAX_KEYS
   */
  read(keys: readonly string[]): Promise<readonly FeedRecord[] | undefined>
}

/** @param listed at least one. The forms of their keys are the forms in which the others are asked for */
export function keyReader(run: FeedRun, listed: ListedKeys): KeyReader {
  const { abilities, settings } = run
  let proven: KeyQueryForm | undefined
  let isAddressProven = false

  async function read(keys: readonly string[]): Promise<readonly FeedRecord[] | undefined> {
    if (listed.length === 0) return undefined
    const known = proven ?? abilities.current.byKey
    const forms = [...new Set([...(known ? [known] : []), 'in', 'or', 'address'] as const)]
    for (const form of forms) {
      // The address of a record knows nothing of the filter.
      if (form === 'address' && settings.filter !== undefined) continue
      const records = await ask(form, keys)
      if (!records) continue
      proven = form
      if (abilities.current.byKey !== form) await abilities.learn({ byKey: form })
      return records
    }
    return undefined
  }

  async function ask(
    form: KeyQueryForm,
    keys: readonly string[],
  ): Promise<readonly FeedRecord[] | undefined> {
    const found: FeedRecord[] = []
    try {
      for (let at = 0; at < keys.length; at += KEYS_AT_A_TIME[form]) {
        const group = keys.slice(at, at + KEYS_AT_A_TIME[form])
        const records = form === 'address' ? await askAddress(group[0]!) : await askGroup(form, group)
        if (!records) return undefined
        found.push(...records)
      }
      return found
    } catch (error) {
      if (isUnsupported(error)) return undefined
      throw error
    }
  }

  async function askGroup(
    form: 'in' | 'or',
    keys: readonly string[],
  ): Promise<readonly FeedRecord[] | undefined> {
    const { field } = listed[0]!.literal
    const literals = [...new Set([...keys.map(literalOf), ...listed.map(({ literal }) => literal.value)])]
    const where =
      form === 'in'
        ? `${field} in (${literals.join(',')})`
        : `(${literals.map((literal) => `${field} eq ${literal}`).join(' or ')})`
    const { upstream, profile, signal } = run
    const url = queryUrl(settings, profile, { where, unsorted: true })
    let { records, next } = await readPage(upstream, url, signal)
    // Some servers begin with an empty page.
    if (records.length === 0 && next !== undefined) {
      ;({ records, next } = await readPage(upstream, next, signal))
    }
    // Several pages may leave out a record, if the server skips a number of records.
    if (next !== undefined) {
      if (keys.length === 1) return undefined
      const middle = Math.ceil(keys.length / 2)
      const first = await askGroup(form, keys.slice(0, middle))
      const rest = first && (await askGroup(form, keys.slice(middle)))
      return rest && [...first, ...rest]
    }
    const wanted = new Set(keys)
    const known = new Set(listed.map(({ key }) => key))
    // A server that ignores the question sends other records.
    if (!records.every((record) => wanted.has(keyOf(record) ?? '') || known.has(keyOf(record) ?? ''))) {
      return undefined
    }
    if (!records.some((record) => known.has(keyOf(record)!))) return undefined
    return records.filter((record) => wanted.has(keyOf(record)!))
  }

  async function askAddress(key: string): Promise<readonly FeedRecord[] | undefined> {
    isAddressProven ||= await isOneFound()
    if (!isAddressProven) return undefined
    const record = await readAddress(literalOf(key))
    return record === undefined ? [] : keyOf(record) === key ? [record] : undefined
  }

  async function isOneFound(): Promise<boolean> {
    for (const { key, literal } of listed) {
      const record = await readAddress(literal.value)
      if (record !== undefined && keyOf(record) === key) return true
    }
    return false
  }

  /** undefined: the server has no record of the key, or not of this system. */
  async function readAddress(literal: string): Promise<FeedRecord | undefined> {
    const { upstream, profile, signal } = run
    try {
      const record = await readRecord(upstream, recordUrl(settings, profile, literal), signal)
      return isListed(record, settings) ? record : undefined
    } catch (error) {
      if (error instanceof FeedFailure && [404, 410].includes(error.status ?? 0)) return undefined
      throw error
    }
  }

  function literalOf(key: string): string {
    const isNumber = !listed[0]!.literal.value.startsWith("'")
    return isNumber && /^\d+$/.test(key) ? key : quote(key)
  }

  return { read }
}
