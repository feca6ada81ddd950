/**
 * Derives the OpenAPI 3.0 document that is served for client generators, many of which read 3.1 in part only. It
 * describes the same bytes on the wire: what 3.0 spells differently is respelled, and what it cannot spell is left
 * out only where it says nothing about a call (the webhooks, the summary of the document, the examples of bodies). A
 * keyword that has no translation here is a fault, so that nothing is lost without a word.
 *
 * Six forms are written otherwise because of what generators make of them:
 *
 * - A schema made of several others (`allOf`) becomes one schema with the properties of all.
 * - A union becomes a value of any type, and `x-any-of` keeps its branches, with `x-nullable` if one of them is null.
 *   Clients would not compile, would give a row the type of the first branch that takes it, and would throw on a branch
 *   that a later version adds.
 * - An object or a list that is always there but may be null leaves `required` for `x-always`. Java with gson would throw on the null.
 * - Each operation has `x-group-parameters`: Java methods get a setter for each optional parameter.
 * - The pattern of a time becomes `x-pattern`. Python clients match it against the time that they have read.
 * - The default of a reference that may be null becomes `x-default`. Java would have a string as the default of an enum.
 */
import { type Document, isObject, METHODS } from './document.ts'

type Node = Readonly<Record<string, unknown>>

/** Keywords of a schema that mean the same in both versions. */
const SAME = [
  '$ref',
  'type',
  'format',
  'title',
  'description',
  'default',
  'enum',
  'required',
  'nullable',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'readOnly',
  'writeOnly',
  'deprecated',
  'example',
]
/** Keywords that hold one schema, a list of them, or one for each name. */
const ONE = ['items', 'additionalProperties', 'not']
const SEVERAL = ['allOf', 'anyOf', 'oneOf']
const NAMED = ['properties']

/** What cannot be said in 3.0 goes into `faults`. */
export function toOpenApi30(document: Document, faults: string[]): Node {
  const { openapi: _, webhooks, info, tags, components, ...rest } = document as unknown as Node
  const { summary: __, license, ...about } = info as Node
  const { identifier: ___, ...named } = (license ?? {}) as Node
  const eventTags = tagsOf(webhooks)
  const derived = {
    openapi: '3.0.3',
    info: { ...about, ...(license !== undefined && { license: named }) },
    ...rest,
    tags: (tags as readonly Node[] | undefined)?.filter(({ name }) => !eventTags.includes(name)),
    components,
  }
  return withoutUnused(withGroupedParameters(withSchemas(derived, '#') as Node))

  /** Everything outside of schemas is as in 3.1. */
  function withSchemas(node: unknown, place: string): unknown {
    if (Array.isArray(node)) return node.map((item, index) => withSchemas(item, `${place}/${index}`))
    if (!isObject(node)) return node
    // Generators print a warning for each example of a body that is an object.
    const entries = Object.entries(node).filter(([name]) => name !== 'example' && name !== 'examples')
    return Object.fromEntries(
      entries.map(([name, child]) => {
        const at = `${place}/${name}`
        if (name.startsWith('x-')) return [name, child]
        if (name === 'schema') return [name, schema(child, at)]
        if (at === '#/components/schemas') return [name, schemas(child, at)]
        return [name, withSchemas(child, at)]
      }),
    )
  }

  function schemas(node: unknown, place: string): Node {
    return Object.fromEntries(
      Object.entries(node as Node).map(([name, child]) => [name, schema(child, `${place}/${name}`)]),
    )
  }

  function schema(node: unknown, place: string): unknown {
    if (!isObject(node)) return node
    const translated: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(node)) {
      const at = `${place}/${name}`
      if (SAME.includes(name) || name.startsWith('x-')) translated[name] = value
      else if (ONE.includes(name)) translated[name] = schema(value, at)
      else if (SEVERAL.includes(name))
        translated[name] = (value as unknown[]).map((part, index) => schema(part, `${at}/${index}`))
      else if (NAMED.includes(name)) translated[name] = schemas(value, at)
      else if (name === 'examples') translated.example = (value as unknown[])[0]
      else faults.push(`${at}: OpenAPI 3.0 has no such keyword; write it otherwise`)
    }
    return withAlways(withoutUnion(withNullable(merged(withTimes(translated), place), place), place))
  }

  function withTimes(node: Record<string, unknown>): Record<string, unknown> {
    const { pattern, ...others } = node
    return node.format !== 'date-time' || pattern === undefined ? node : { ...others, 'x-pattern': pattern }
  }

  /** `allOf` of several parts as one schema. A single part stays: it is how a reference gets a description. */
  function merged(node: Record<string, unknown>, place: string): Record<string, unknown> {
    const { allOf, ...others } = node
    if (!Array.isArray(allOf) || allOf.length < 2) return node
    const parts = allOf.map((part: Node) => ('$ref' in part ? (schema(follow(part), place) as Node) : part))
    return [...parts, others].reduce<Record<string, unknown>>((into, part) => {
      for (const [name, value] of Object.entries(part)) {
        if (name === 'properties') into.properties = joined(into.properties as Node, value as Node, place)
        else if (name === 'required' || name === 'x-always')
          into[name] = [...((into[name] ?? []) as string[]), ...(value as string[])]
        else if (name === 'description' || into[name] === undefined) into[name] = value
        else if (JSON.stringify(into[name]) !== JSON.stringify(value))
          faults.push(`${place}/allOf: ${name} is in several parts; have it in one`)
      }
      return into
    }, {})
  }

  function joined(some: Node = {}, more: Node, place: string): Node {
    for (const name of Object.keys(more))
      if (name in some)
        faults.push(`${place}/allOf: the property ${name} is in several parts; have it in one`)
    return { ...some, ...more }
  }

  function follow({ $ref }: Node): Node {
    const steps = ($ref as string).slice(2).split('/')
    return steps.reduce<unknown>((at, step) => (at as Node)[step], document) as Node
  }

  function withAlways(node: Node): Node {
    const { required, properties } = node as {
      required?: string[]
      properties?: Readonly<Record<string, Node>>
    }
    const always =
      required?.filter((name) => properties?.[name]?.nullable && isChecked(properties[name])) ?? []
    if (always.length === 0) return node
    return { ...node, required: required!.filter((name) => !always.includes(name)), 'x-always': always }
  }

  function withoutUnion(node: Node, place: string): Node {
    const { anyOf, ...others } = node
    if (!Array.isArray(anyOf)) return node
    if ('type' in others) faults.push(`${place}: a union has its types in its branches`)
    return { ...others, 'x-any-of': anyOf }
  }

  /** `type: [T, "null"]` and `anyOf` with a null become `nullable`, which generators read beside a reference too. */
  function withNullable(node: Record<string, unknown>, place: string): Node {
    const { type, anyOf, ...others } = node
    if (Array.isArray(type)) {
      const [only, ...more] = type.filter((name) => name !== 'null')
      if (only === undefined || more.length > 0)
        faults.push(`${place}: OpenAPI 3.0 has one type for each value`)
      if (Array.isArray(node.enum)) faults.push(`${place}: an enum that may be null reads differently in 3.0`)
      return {
        type: only,
        ...(type.includes('null') && { nullable: true }),
        ...others,
        ...(anyOf ? { anyOf } : {}),
      }
    }
    if (!Array.isArray(anyOf)) return node
    const parts = anyOf.filter((part: Node) => part.type !== 'null')
    if (parts.length === anyOf.length) return node
    // A union has no type, and `nullable` has no meaning without one.
    if (parts.length > 1) return { ...others, 'x-nullable': true, anyOf: parts }
    const { default: ofAbsent, ...rest } = others
    return {
      ...rest,
      type: typeOf(parts[0], place),
      nullable: true,
      allOf: parts,
      ...(ofAbsent !== undefined && { 'x-default': ofAbsent }),
    }
  }

  function typeOf(node: Node, place: string): unknown {
    const { type } = '$ref' in node ? follow(node) : node
    if (typeof type !== 'string') faults.push(`${place}: what may be null needs one type`)
    return type
  }
}

/** Otherwise a Java method has its optional parameters in order, so that one more would break every call of it. */
function withGroupedParameters(document: Node): Node {
  const paths = Object.entries(document.paths as Readonly<Record<string, Node>>).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([name, node]) => [
        name,
        METHODS.some((method) => method === name) ? { ...(node as Node), 'x-group-parameters': true } : node,
      ]),
    ),
  ])
  return { ...document, paths: Object.fromEntries(paths) }
}

function tagsOf(items: unknown): unknown[] {
  return Object.values((items ?? {}) as Node).flatMap((item) =>
    Object.values(item as Node).flatMap((operation) => (isObject(operation) ? (operation.tags ?? []) : [])),
  )
}

/** Without the parameters of the webhooks. Their bodies stay: a receiver wants the types. */
function withoutUnused(document: Node): Node {
  const components = document.components as Node | undefined
  if (!isObject(components?.parameters)) return document
  const text = JSON.stringify(document.paths)
  const used = Object.entries(components.parameters).filter(([name]) =>
    text.includes(`"#/components/parameters/${name}"`),
  )
  return { ...document, components: { ...components, parameters: Object.fromEntries(used) } }
}

/** Clients look into an object or a list before they ask whether it is null. */
function isChecked({ allOf, type }: Node): boolean {
  return allOf !== undefined || type === 'array'
}
