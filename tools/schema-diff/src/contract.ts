import { isObject, type JsonObject, type JsonValue } from './json.ts'
import { UsageError } from './usage-error.ts'

/** A bundled OpenAPI 3.1 document and the name that reports call it by. Its `$ref`s are followed when needed. */
export interface Contract {
  readonly name: string
  readonly root: JsonObject
}

/** @throws UsageError when the value is no OpenAPI 3.1 document */
export function toContract(name: string, value: JsonValue): Contract {
  if (!isObject(value)) throw new UsageError(`${name} is not an OpenAPI document: it holds no object.`)
  const version = value.openapi
  if (typeof version !== 'string' || !version.startsWith('3.1.')) {
    throw new UsageError(`${name} says openapi: ${version ?? 'nothing'}; only OpenAPI 3.1 can be compared.`)
  }
  if (!isObject(value.paths) && !isObject(value.webhooks)) {
    throw new UsageError(`${name} has neither paths nor webhooks: there is nothing to compare.`)
  }
  return { name, root: value }
}

/**
 * The object that a node stands for: itself, or what its `$ref` leads to. Undefined when there is no node.
 * @throws UsageError when a `$ref` leads outside the document, nowhere, or in a circle
 */
export function follow(contract: Contract, node: JsonValue | undefined): JsonObject | undefined {
  const passed = new Set<string>()
  let here = node
  while (isObject(here) && typeof here.$ref === 'string') {
    if (passed.has(here.$ref))
      throw new UsageError(`${contract.name}: the $ref ${here.$ref} leads in a circle.`)
    passed.add(here.$ref)
    here = resolveReference(contract, here.$ref)
  }
  return isObject(here) ? here : undefined
}

/**
 * What one `$ref` points at, which may be a reference again.
 * @throws UsageError when it leads outside the document or nowhere
 */
export function resolveReference(contract: Contract, reference: string): JsonValue {
  if (!reference.startsWith('#/')) {
    throw new UsageError(`${contract.name} is not bundled: it refers to ${reference}. Bundle it first.`)
  }
  let here: JsonValue | undefined = contract.root
  for (const step of reference.slice(2).split('/')) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    here =
      (isObject(here) || Array.isArray(here)) && Object.hasOwn(here, key)
        ? (here as JsonObject)[key]
        : undefined
  }
  if (here === undefined) throw new UsageError(`${contract.name}: the $ref ${reference} leads nowhere.`)
  return here
}
