// Checks every response of a test against the contract: status, headers, media type, body, and error code. Also records the
// reached responses by operation, status, and error code or media type, for the check after a whole run (tools/check).

import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type ErrorCode, errorDetails, type OperationId, openapi, operations } from '@lotline/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const REACHED = join(import.meta.dirname, '../../../../node_modules/.cache/lotline/answers')

export interface CheckedResponse {
  readonly method: string
  /** Path and query, as sent. */
  readonly url: string
  readonly status: number
  readonly headers: Headers
  /** The body as text. */
  readonly text: string
}

interface ContractResponse {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly $ref?: string }>>
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>
  readonly 'x-error-codes'?: readonly string[]
  readonly $ref?: string
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
// For clients these lists are open; the service returns only listed values.
ajv.addKeyword({
  keyword: 'x-extensible-enum',
  validate: (known: readonly unknown[], value: unknown) => value === null || known.includes(value),
})
ajv.addSchema({ $id: 'contract', ...structuredClone(openapi) } as object)
const validators = new Map<string, ValidateFunction>()

/** Fixed paths take precedence over paths with parameters. */
const PATTERNS = (Object.keys(operations) as OperationId[])
  .map((id) => ({ id, method: operations[id].method as string, pattern: patternOf(operations[id].path) }))
  .sort((one, other) => braces(one.id) - braces(other.id))

/** The contract's operation for a request; undefined if there is none. */
export function findOperation(method: string, url: string): OperationId | undefined {
  const path = url.split('?', 1)[0]!
  const fitting = PATTERNS.filter(({ pattern }) => pattern.test(path))
  // Even with a wrong method, a fixed path takes precedence.
  const [first] = fitting
  return fitting.find(
    (each) => each.method === method && operations[each.id].path === operations[first!.id].path,
  )?.id
}

/** Throws if the response violates the contract. */
export function checkAnswer(answer: CheckedResponse): void {
  const id = findOperation(answer.method, answer.url)
  if (!id) {
    checkEnvelope(answer)
    return
  }
  const code = answer.status >= 400 ? codeOf(answer) : ''
  const type = answer.headers.get('content-type')?.split(';', 1)[0] ?? ''
  note(id, answer.status, code || type)
  const place = `${id} → ${answer.status}`
  const response = responseOf(id, answer.status)
  if (!response) throw new Error(`${place}: the contract has no such status. ${answer.text.slice(0, 300)}`)
  for (const [name, header] of Object.entries(response.headers ?? {})) {
    if (resolve(header).required && answer.headers.get(name) === null)
      throw new Error(`${place}: no header ${name}`)
  }
  if (!response.content) {
    if (answer.text !== '') throw new Error(`${place}: a body where the contract has none`)
    return
  }
  if (!type || !(type in response.content)) throw new Error(`${place}: ${type} is not in the contract`)
  if (/^application\/(.+\+)?json$/.test(type)) checkBody(place, id, answer, type)
  if (code) checkDetails(place, answer)
  const codes = response['x-error-codes']
  if (codes && !codes.includes(code)) throw new Error(`${place}: ${code} is not one of ${codes.join(', ')}`)
}

function checkBody(place: string, id: OperationId, answer: CheckedResponse, type: string): void {
  const pointer = [
    'paths',
    operations[id].path,
    operations[id].method.toLowerCase(),
    'responses',
    String(answer.status),
  ]
  const response = at(pointer) as ContractResponse
  const base = response.$ref ? response.$ref.slice(2).split('/') : pointer
  const uri = `contract#/${[...base, 'content', type, 'schema'].map(toPointerStep).join('/')}`
  let validate = validators.get(uri)
  if (!validate) {
    validate = ajv.compile({ $ref: uri })
    validators.set(uri, validate)
  }
  if (!validate(JSON.parse(answer.text))) {
    throw new Error(
      `${place}: ${ajv.errorsText(validate.errors?.slice(0, 5) ?? [])}\n${answer.text.slice(0, 500)}`,
    )
  }
}

/** Details may be added, but only those that the contract lists for the code. */
function checkDetails(place: string, { text }: CheckedResponse): void {
  const { error } = JSON.parse(text) as { error: { code: ErrorCode; details?: object } }
  const listed: readonly string[] = errorDetails[error.code] ?? []
  for (const name of Object.keys(error.details ?? {})) {
    if (!listed.includes(name)) {
      throw new Error(`${place}: the contract does not list error.details.${name} for ${error.code}`)
    }
  }
}

/** Errors on any path have the envelope. */
function checkEnvelope(answer: CheckedResponse): void {
  if (answer.status < 400 || !answer.url.startsWith('/v1')) return
  if (!/^[a-z_]+$/.test(codeOf(answer)))
    throw new Error(`${answer.method} ${answer.url}: not the error envelope`)
  checkDetails(`${answer.method} ${answer.url}`, answer)
}

function codeOf(answer: CheckedResponse): string {
  const body = JSON.parse(answer.text) as {
    error?: { code?: string; message?: string; request_id?: string; doc_url?: string }
  }
  if (
    !body.error?.code ||
    !body.error.message ||
    !/^req_[0-9A-Z]{26}$/.test(body.error.request_id ?? '') ||
    body.error.doc_url !== `/docs/errors#${body.error.code}`
  ) {
    throw new Error(
      `${answer.method} ${answer.url} → ${answer.status}: not the error envelope: ${answer.text}`,
    )
  }
  return body.error.code
}

function responseOf(id: OperationId, status: number): ContractResponse | undefined {
  const { path, method } = operations[id]
  const response = at(['paths', path, method.toLowerCase(), 'responses', String(status)])
  return response && (resolve(response) as ContractResponse)
}

function resolve<T extends { readonly $ref?: string }>(node: T): T {
  return node.$ref ? (at(node.$ref.slice(2).split('/')) as T) : node
}

function at(steps: readonly string[]): { readonly $ref?: string } | undefined {
  let node: unknown = openapi
  for (const step of steps) node = (node as Record<string, unknown> | undefined)?.[step]
  return node as { $ref?: string } | undefined
}

function toPointerStep(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`)
}

function braces(id: OperationId): number {
  return operations[id].path.split('{').length
}

const noted = new Set<string>()

function note(id: OperationId, status: number, codeOrType: string): void {
  const line = `${id} ${status} ${codeOrType}`.trimEnd()
  if (noted.has(line)) return
  noted.add(line)
  mkdirSync(REACHED, { recursive: true })
  appendFileSync(join(REACHED, `${process.pid}.txt`), `${line}\n`)
}
