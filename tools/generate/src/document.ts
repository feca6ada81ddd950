/**
 * The parts of a bundled OpenAPI document that the generator reads. Every other member is carried along
 * untouched, so these types promise nothing about what else a document holds.
 */

export interface Reference {
  readonly $ref?: string
}

export interface Schema extends Reference {
  readonly default?: unknown
  readonly description?: string
  /** Known values of a text to which others may be added. */
  readonly 'x-extensible-enum'?: readonly unknown[]
  /** On a field of `error.details`: the error codes that it comes with. */
  readonly 'x-details-of'?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly type?: string | readonly string[]
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
}

export interface Parameter extends Reference {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: Schema
}

export interface OnlyWith {
  /** The optional parameter without which no call gets the response, the media type, or the header. */
  readonly 'x-only-with'?: string
}

export interface Response extends Reference, OnlyWith {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema } & OnlyWith>>
  readonly 'x-error-codes'?: unknown
}

export interface OperationObject {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Reference & {
    readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
  }
  readonly responses?: Readonly<Record<string, Response>>
  readonly 'x-credits'?: unknown
  readonly 'x-charged-for'?: unknown
  readonly 'x-actor'?: unknown
  readonly 'x-sdk'?: unknown
  readonly 'x-sample'?: unknown
}

export const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const

export type Method = (typeof METHODS)[number]

export type PathItem = { readonly [M in Method]?: OperationObject } & {
  readonly parameters?: readonly Parameter[]
}

export interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components?: Readonly<Record<string, object>> & {
    readonly schemas?: Readonly<Record<string, Schema>>
  }
}

/**
 * The object that `node` stands for: `node` itself, or what its `$ref` points at inside the document.
 * Throws when a reference leads nowhere, which a bundle never has.
 */
export function resolve<T extends Reference>(document: Document, node: T): T {
  let current: T = node
  while (current.$ref !== undefined) {
    const ref = current.$ref
    const names = ref.replace(/^#\//, '').split('/').map(unescapePointer)
    const target = names.reduce<unknown>(
      (parent, name) => (isObject(parent) ? parent[name] : undefined),
      document,
    )
    if (!isObject(target)) throw new Error(`The target of the reference ${ref} does not exist.`)
    current = target as T
  }
  return current
}

/** True for what JSON calls an object: neither an array nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unescapePointer(name: string): string {
  return decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')
}
