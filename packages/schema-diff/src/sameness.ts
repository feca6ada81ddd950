// Most of two versions is the same text. What is the same, and leads to the same by its references, is not compared part by
// part: a comparison of two large documents that differ in little takes a fraction of the time.

import { type Contract, resolveReference, UsageError } from './document.ts'
import type { JsonValue } from './json.ts'

/** Whether two nodes, one of each document, say the same in the same words. */
export type IsSame = (base: JsonValue, head: JsonValue) => boolean

/** Also the targets of a discriminator's mapping. */
const REFERENCE = /"(#\/[^"]*)"/g

/** `base` and `head` must not change as long as the function is used. */
export function createIsSame(base: Contract, head: Contract): IsSame {
  const texts = new WeakMap<object, string>()
  const textOf = (node: JsonValue): string => {
    if (typeof node !== 'object' || node === null) return JSON.stringify(node)
    const known = texts.get(node) ?? JSON.stringify(node)
    texts.set(node, known)
    return known
  }
  const referencesIn = (text: string) => new Set([...text.matchAll(REFERENCE)].map(([, found = '']) => found))

  /** Undefined when the reference leads nowhere, as a text of an example may. A real one is refused where it is followed. */
  const textBehind = (contract: Contract, reference: string): string | undefined => {
    try {
      return textOf(resolveReference(contract, reference))
    } catch (error) {
      if (error instanceof UsageError) return undefined
      throw error
    }
  }

  /** By reference, the text of what it leads to; undefined where the two documents differ. */
  const targets = new Map<string, string | undefined>()
  const targetOf = (reference: string): string | undefined => {
    if (!targets.has(reference)) {
      const [before, after] = [textBehind(base, reference), textBehind(head, reference)]
      targets.set(reference, before === after ? before : undefined)
    }
    return targets.get(reference)
  }

  const verdicts = new Map<string, boolean>()
  /** Whether all that can be reached from the text is the same. */
  const leadsToSame = (text: string): boolean => {
    const known = verdicts.get(text)
    if (known !== undefined) return known
    const reached = referencesIn(text)
    let isSame = true
    for (const reference of reached) {
      const target = targetOf(reference)
      if (target === undefined) {
        isSame = false
        break
      }
      // A set is walked to its end, also over what is added on the way.
      for (const further of referencesIn(target)) reached.add(further)
    }
    verdicts.set(text, isSame)
    return isSame
  }

  return (before, after) => {
    const text = textOf(before)
    return text === textOf(after) && leadsToSame(text)
  }
}
