// Checks queries and results of a provider against spec/provider.yaml, as an implementer reads it.

import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import type { ReceivedQuery } from '../../../setup/reference-provider/start.ts'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: boolean
  readonly schema: object
}
interface Content {
  readonly content?: { readonly 'application/json': { readonly schema: object } }
}
interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}
interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const FILE = join(import.meta.dirname, '../../../../../../spec/provider.yaml')

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, coerceTypes: false })
const validators = new Map<object, ValidateFunction>()
const documents = new Map<string, unknown>()

/** The document with every reference replaced by its target. */
export const contract = resolved(readYaml(FILE), FILE) as Contract

export function statusesOf(operationId: string): readonly number[] {
  const operation = Object.values(contract.paths)
    .flatMap((methods) => Object.values(methods))
    .find((one) => one.operationId === operationId)
  return Object.keys(operation?.responses ?? {}).map(Number)
}

/** Throws if the query is not one of the contract. */
export function checkQuestion(asked: ReceivedQuery): void {
  const { operation, template } = findOperation(asked)
  const place = `${asked.method} ${asked.url}`
  const { pathname, searchParams } = new URL(asked.url, 'http://provider')
  const known = new Set<string>()
  for (const { name, in: where, required, schema } of operation.parameters ?? []) {
    if (where === 'query') known.add(name)
    const values = where === 'query' ? searchParams.getAll(name) : [pathValue(template, name, pathname)]
    if (values.length > 1) throw new Error(`${place}: ${name} is there twice`)
    if (values[0] !== undefined) check(`${place}: ${name}`, schema, values[0])
    else if (required) throw new Error(`${place}: no ${name}`)
  }
  for (const name of searchParams.keys()) {
    if (!known.has(name)) throw new Error(`${place}: ${name} is not in the contract`)
  }
  const body = operation.requestBody?.content?.['application/json'].schema
  if (body) check(`${place}: body`, body, JSON.parse(asked.body))
  else if (asked.body !== '') throw new Error(`${place}: a body where the contract has none`)
}

/** Throws if the body does not fit the contract for this status. */
export function checkAnswer(asked: ReceivedQuery, status: number, body: unknown): void {
  const { operation } = findOperation(asked)
  const schema = operation.responses[status]?.content?.['application/json'].schema
  if (!schema) throw new Error(`${asked.method} ${asked.url}: the contract has no ${status}`)
  check(`${asked.method} ${asked.url} → ${status}`, schema, body)
}

function findOperation({ method, url }: ReceivedQuery): { operation: Operation; template: string } {
  const [path = ''] = url.split('?')
  const templates = Object.keys(contract.paths).sort((one, other) => one.indexOf('{') - other.indexOf('{'))
  const template = templates.find((one) => new RegExp(`^${one.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path))
  const operation = contract.paths[template ?? '']?.[method.toLowerCase()]
  if (!template || !operation) throw new Error(`${method} ${url} is not in the contract`)
  return { operation, template }
}

function pathValue(template: string, name: string, path: string): string | undefined {
  return path.split('/')[template.split('/').indexOf(`{${name}}`)]
}

function check(place: string, schema: object, value: unknown): void {
  let validate = validators.get(schema)
  if (!validate) {
    validate = ajv.compile(schema)
    validators.set(schema, validate)
  }
  if (!validate(value)) throw new Error(`${place}: ${ajv.errorsText((validate.errors ?? []).slice(0, 5))}`)
}

function readYaml(file: string): unknown {
  if (!documents.has(file)) documents.set(file, parse(readFileSync(file, 'utf8')))
  return documents.get(file)
}

function resolved(node: unknown, file: string): unknown {
  if (Array.isArray(node)) return node.map((item) => resolved(item, file))
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...rest } = node as { $ref?: unknown }
  const own = Object.entries(rest).map(([name, value]) => [name, resolved(value, file)] as const)
  if (typeof $ref !== 'string') return Object.fromEntries(own)
  const [path = '', pointer = ''] = $ref.split('#')
  const target = path === '' ? file : resolve(dirname(file), path)
  const steps = pointer.split('/').slice(1)
  const found = steps.reduce<unknown>(
    (inner, step) => (inner as Record<string, unknown>)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    readYaml(target),
  )
  return { ...(resolved(found, target) as object), ...Object.fromEntries(own) }
}
