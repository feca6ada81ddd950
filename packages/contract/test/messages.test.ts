import { describe, expect, it } from 'vitest'
import { messageTemplates } from '../src/generated/messages.ts'
import {
  type ErrorCode,
  errorDetails,
  errorDocUrl,
  errorStatuses,
  formatMessage,
  openapi,
  operationIds,
  shownValue,
} from '../src/index.ts'
import { listParameters, type Node, operationNode, resolve } from '../src/nodes.ts'
import { isCatalogueCode } from '../test-cases/bad-requests.ts'

interface ErrorExample {
  readonly code: ErrorCode
  readonly message: string
  readonly doc_url?: string
  readonly request_id?: string
  readonly details?: object
}

/** Every object in the examples of the contract with a code and a message. */
function messagesIn(node: unknown): ErrorExample[] {
  if (typeof node !== 'object' || node === null) return []
  const { code, message } = node as { readonly code?: unknown; readonly message?: unknown }
  const own = typeof code === 'string' && typeof message === 'string'
  return [...(own ? [node as ErrorExample] : []), ...Object.values(node).flatMap(messagesIn)]
}

/** Every schema, at any depth, that input is judged by. */
function inputSchemas(): Node[] {
  return operationIds.flatMap((id) => {
    const { requestBody } = operationNode(id)
    const { content } = (requestBody ? resolve(requestBody) : { content: {} }) as {
      content: Readonly<Record<string, { schema: Node }>>
    }
    const bodies = Object.values(content).map(({ schema }) => schema)
    return [...listParameters(id).map(({ schema }) => schema as Node), ...bodies].flatMap(withInner)
  })
}

function withInner(node: Node): Node[] {
  const own = resolve(node)
  const inner = [own.allOf ?? [], own.items ?? [], Object.values(own.properties ?? {})].flat() as Node[]
  return [own, ...inner.flatMap(withInner)]
}

const examples = messagesIn(openapi)
/** In the error envelope. The others are the errors of jobs and of their entries, which have no request id. */
const errors = examples.filter((example) => example.request_id !== undefined)

describe('the catalogue of messages', () => {
  it('produces the message of every error example in the contract', () => {
    expect(errors.length).toBeGreaterThan(50)
    expect(errors.filter((error) => !isCatalogueCode(error))).toEqual([])
  })

  it('produces the message of every failed job and failed entry in the examples', () => {
    const failures = examples.filter((example) => !errors.includes(example))
    expect(failures.length).toBeGreaterThan(3)
    const isMade = (failure: ErrorExample) =>
      failure.code in errorStatuses
        ? isCatalogueCode(failure)
        : (Object.values(messageTemplates.job) as string[]).includes(failure.message)
    expect(failures.filter((failure) => !isMade(failure))).toEqual([])
  })

  it('is the target of doc_url in every error example of the contract', () => {
    expect(errors.filter(({ code, doc_url }) => doc_url !== errorDocUrl(code))).toEqual([])
  })

  it('lists every field of details in an error example under the code of the example', () => {
    const listed: Readonly<Record<ErrorCode, readonly string[]>> = errorDetails
    const unlisted = errors.flatMap(({ code, details }) =>
      Object.keys(details ?? {}).filter((name) => !listed[code].includes(name)),
    )
    expect(unlisted).toEqual([])
  })

  it('has an example with details for every code that lists some', () => {
    const shown = new Set<string>(errors.filter(({ details }) => details).map(({ code }) => code))
    const listed = Object.entries(errorDetails).filter(([, names]) => names.length > 0)
    // Their examples are of the frequent causes, which have no details: a job that is not there, not a malformed id; a service
    // that is starting, not a charge that is unknown.
    const without = listed.map(([code]) => code).filter((code) => !shown.has(code))
    expect(without).toEqual(['job_not_found', 'service_unavailable'])
  })

  it('has a message for each way in which an input schema can refuse', () => {
    // The keywords that faultOf knows, and those that refuse nothing.
    const known = ['type', 'enum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum']
    known.push('anyOf', 'uniqueItems', 'required', 'additionalProperties', 'x-needs-one-of', 'pattern')
    known.push('maxProperties')
    const harmless = ['allOf', 'properties', 'items', 'default', 'description', 'examples', 'format']
    harmless.push('x-error-code', 'x-form', 'title', 'x-unused', 'x-used-by-type', 'x-other-spelling')
    const unknown = inputSchemas().flatMap((node) =>
      Object.keys(node).filter((keyword) => !known.includes(keyword) && !harmless.includes(keyword)),
    )
    expect(unknown).toEqual([])
    // Without x-form, a message could only say that the form is another one.
    const isText = ({ pattern, format, type }: Node) => (pattern ?? format) !== undefined && type === 'string'
    expect(inputSchemas().filter((node) => isText(node) && node['x-form'] === undefined)).toEqual([])
  })

  it('says what to do in each message: two sentences, or a choice', () => {
    const texts = Object.values(messageTemplates).flatMap((causes) => Object.values(causes) as string[])
    expect(texts.filter((text) => text.split(/[.;:?] |, or /).length < 2)).toEqual([])
  })
})

describe('a formatted message', () => {
  it('has its values in their places and nouns that agree with numbers', () => {
    expect(formatMessage('out_of_credits', 'job', { required: 2, available: 1 })).toBe(
      'This job needs at least 2 available credits (1 is reserved so you can read the results). You have 1. ' +
        'Top up, or wait for running jobs to release credits.',
    )
    expect(formatMessage('out_of_credits', 'call', { required: 1, available: 0 })).toContain(
      '1 available credit.',
    )
    expect(formatMessage('invalid_parameter', 'too_many_entries', { value: 501, bound: 500 })).toContain(
      '501 entries',
    )
  })

  it('shows sent values cut to 80 characters and without control characters', () => {
    const message = formatMessage('not_found', 'zpid', { value: `1\n\u202e${'x'.repeat(10_000)}` })
    expect(message).toMatch(/^No home has the zpid 1\\u\{a\}\\u\{202e\}x+…\. Check it/)
    expect(/zpid (.*?)\. /.exec(message)?.[1]).toHaveLength(80)
    expect(shownValue('\ud800'.repeat(200)).isWellFormed()).toBe(true)
  })

  it('never shows a key or a secret', () => {
    const key = `lot_${'A'.repeat(38)}`
    expect(shownValue(key)).toBe('"lot_…"')
    expect(formatMessage('not_found', 'zpid', { value: `x ${key} whsec_abcDEF+/=` })).toContain(
      'x lot_… whsec_….',
    )
  })

  it('names the type of a list or an object instead of showing it', () => {
    expect([[1, 2], { a: 1 }, undefined, null, 5, true].map(shownValue)).toEqual([
      'a list',
      'an object',
      'nothing',
      'null',
      '5',
      'true',
    ])
  })
})
