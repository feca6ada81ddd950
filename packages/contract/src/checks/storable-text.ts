// Characters that no text of an input may have. PostgreSQL stores neither U+0000 nor half of a surrogate pair, so a text with
// one of them would fail when it reaches the database. Texts are looked through wherever they are: names of fields and values
// of fields that the contract does not know, too.

import { faultMessage, inputFault } from '../messages.ts'
import type { Fault } from './finding.ts'

/** Whether a text can be stored by PostgreSQL and sent as JSON in UTF-8. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** Whether all texts of a value are, names included. Without recursion: bodies may be nested deeply. */
export function hasStorableTexts(value: unknown): boolean {
  const pending = [value]
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next === 'string') {
      if (!isStorable(next)) return false
    } else if (Array.isArray(next)) {
      for (const inner of next) if (typeof inner !== 'number') pending.push(inner)
    } else if (typeof next === 'object' && next !== null) {
      for (const name of Object.keys(next)) {
        if (!isStorable(name)) return false
        pending.push((next as Readonly<Record<string, unknown>>)[name])
      }
    }
  }
  return true
}

/**
 * The first text that is not, with its place; of a name, that of the object that has it. undefined: all are.
 *
 * @param part the place of the value itself: `body`, for example
 */
export function findUnstorable(value: unknown, part: string): Fault | undefined {
  if (hasStorableTexts(value)) return undefined
  const pending: (readonly [value: unknown, place: string])[] = [[value, '']]
  while (pending.length > 0) {
    const [next, place] = pending.pop()!
    if (typeof next === 'string') {
      if (!isStorable(next)) return faultIn(next, place || part)
    } else if (typeof next === 'object' && next !== null) {
      const entries = Object.entries(next)
      const [name] = entries.find(([one]) => !isStorable(one)) ?? []
      if (name !== undefined) return faultIn(name, place || part)
      // The name of a field is checked before its value.
      for (const [name, inner] of entries.reverse()) pending.push([inner, place ? `${place}.${name}` : name])
    }
  }
  return undefined
}

function faultIn(text: string, place: string): Fault {
  const cause = text.isWellFormed() ? 'null_character' : 'half_pair'
  const message = faultMessage('invalid_parameter', place, inputFault(cause, {}))
  return { code: 'invalid_parameter', message, details: { parameter: place } }
}
