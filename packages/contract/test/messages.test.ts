import { describe, expect, it } from 'vitest'
import { messageTemplates } from '../src/generated/messages.ts'
import { type ErrorCode, errorStatuses, messageOf, openapi, shownValue } from '../src/index.ts'

interface ErrorExample {
  readonly code: ErrorCode
  readonly message: string
}

/** Every error in the examples of the contract. */
function errorsIn(node: unknown): ErrorExample[] {
  if (typeof node !== 'object' || node === null) return []
  const { error } = node as { readonly error?: Partial<ErrorExample> | null }
  const own = typeof error?.message === 'string' && error.code !== undefined && error.code in errorStatuses
  return [...(own ? [error as ErrorExample] : []), ...Object.values(node).flatMap(errorsIn)]
}

/** Whether a template of the code, with values in its places, is the message. */
function isOfCatalogue({ code, message }: ErrorExample): boolean {
  return Object.values({ ...messageTemplates[code], ...messageTemplates.input }).some((template: string) => {
    const parts = template.split(/\{[^}]+\}/).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${parts.join('.+')}$`).test(message)
  })
}

/** Messages about the form of input are made where it is judged. */
const isForm = ({ code }: ErrorExample) => errorStatuses[code][0] === 400 && code !== 'invalid_json'

describe('the catalogue of messages', () => {
  it('makes the message of every error example but those about the form of input', () => {
    const errors = errorsIn(openapi).filter((error) => !isForm(error))
    expect(errors.length).toBeGreaterThan(20)
    expect(errors.filter((error) => !isOfCatalogue(error))).toEqual([])
  })

  it('has messages that say what to do: two sentences, or a choice', () => {
    const texts = Object.values(messageTemplates).flatMap((causes) => Object.values(causes) as string[])
    expect(texts.filter((text) => text.split(/[.;:?] |, or /).length < 2)).toEqual([])
  })
})

describe('a message', () => {
  it('has its values in their places, and numbers with their nouns', () => {
    expect(messageOf('out_of_credits', 'job', { required: 2, available: 1 })).toBe(
      'This job needs at least 2 available credits (1 is reserved so you can read the results). You have 1. ' +
        'Top up, or wait for running jobs to release credits.',
    )
    expect(messageOf('out_of_credits', 'call', { required: 1, available: 0 })).toContain(
      '1 available credit.',
    )
    expect(messageOf('invalid_parameter', 'too_many_entries', { value: 501, bound: 500 })).toContain(
      '501 entries',
    )
  })

  it('shows what was sent cut to 80 characters, without control characters', () => {
    const message = messageOf('not_found', 'zpid', { value: `1\n\u202e${'x'.repeat(10_000)}` })
    expect(message).toMatch(/^No home has the zpid 1\\u\{a\}\\u\{202e\}x+…\. Check it/)
    expect(/zpid (.*?)\. /.exec(message)?.[1]).toHaveLength(80)
    expect(shownValue('\ud800'.repeat(200)).isWellFormed()).toBe(true)
  })

  it('never shows a key or a secret', () => {
    const key = `lot_${'A'.repeat(38)}`
    expect(shownValue(key)).toBe('"lot_…"')
    expect(messageOf('not_found', 'zpid', { value: `x ${key} whsec_abcDEF+/=` })).toContain(
      'x lot_… whsec_….',
    )
  })

  it('names a list or an object instead of showing it', () => {
    expect([[1, 2], { a: 1 }, null, 5, true].map(shownValue)).toEqual([
      'a list',
      'an object',
      'null',
      '5',
      'true',
    ])
  })
})
