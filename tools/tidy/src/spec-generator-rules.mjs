/*
 * The rules that keep the contract readable by client generators, which know less of OpenAPI than its validators do.
 * Each rule stands for a document that a widely used generator refused or misread. Part of the house style
 * (spec-house-style.mjs); plain JavaScript, because redocly loads it.
 */

/** What a 32-bit integer can hold, which is what a generator takes where the contract states no width. */
const MAX_INT32 = 2 ** 31 - 1

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const typesOf = (schema) => [schema.type ?? []].flat().filter((type) => type !== 'null')

/** What a schema may say about the fields of an object. */
const FIELDS = ['properties', 'additionalProperties', 'allOf', 'anyOf', 'oneOf']

/** A value has one type, or is an `anyOf` of schemas with one type each; a list and an object say what they hold. */
function oneType() {
  return {
    Schema(node, { report }) {
      const types = typesOf(node)
      if (types.length > 1)
        report({ message: `Write the types ${types.join(' and ')} as an \`anyOf\` with one type each.` })
      if (types.includes('array') && node.items === undefined) report({ message: 'An array needs `items`.' })
      // openapi-generator warns of "a map of undefined type" and drops what the object holds.
      if (types.includes('object') && !FIELDS.some((keyword) => keyword in node))
        report({ message: 'An object needs `properties` or `additionalProperties`.' })
    },
  }
}

/**
 * A client that reads an integer into 32 bits fails on the whole record when one value is larger, and one that reads
 * a number into a 32-bit float loses dollars and meters. So both state their width.
 */
function numberWidth() {
  return {
    Schema(node, { report }) {
      const types = typesOf(node)
      if (types.includes('number') && node.format !== 'double')
        report({ message: 'A number needs `format: double`.' })
      if (types.includes('integer') && node.format !== 'int64' && !(node.maximum <= MAX_INT32))
        report({ message: `An integer needs \`format: int64\`, or a \`maximum\` of at most ${MAX_INT32}.` })
    },
  }
}

/** Generators write field names in the style of their language, and then `a_b` and `aB` are one name. */
function distinctFields() {
  return {
    Schema(node, { report, location }) {
      const seen = new Map()
      for (const name of Object.keys(isObject(node.properties) ? node.properties : {})) {
        const plain = name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
        if (seen.has(plain))
          report({
            message: `The fields \`${seen.get(plain)}\` and \`${name}\` have the same name in generated code.`,
            location: location.child(['properties', name]),
          })
        seen.set(plain, name)
      }
    },
  }
}

/** Generators make one class of each tag, and let the events of a shared tag overwrite its operations. */
function eventTags() {
  const tagsOf = (items) =>
    Object.values(items ?? {}).flatMap((item) =>
      Object.values(item).flatMap((operation) => (isObject(operation) ? (operation.tags ?? []) : [])),
    )
  return {
    Root: {
      leave(root, { report, location, resolve }) {
        const resolved = (items) => Object.values(items ?? {}).map((item) => resolve(item).node ?? item)
        const used = new Set(tagsOf(resolved(root.paths)))
        for (const tag of new Set(tagsOf(resolved(root.webhooks)).filter((tag) => used.has(tag))))
          report({
            message: `The tag \`${tag}\` stands for operations; events need a tag of their own.`,
            location: location.child(['webhooks']),
          })
      },
    },
  }
}

/** A client that was generated from an `enum` fails on the whole answer when a value is added, so answers have none. */
function openValues() {
  // A schema that several responses share is reported once.
  const seen = new Set()

  function check({ report, resolve }, value, location, from) {
    const { node, location: at = location } = value?.$ref ? resolve(value, from) : { node: value }
    if (node === null || typeof node !== 'object' || seen.has(node)) return
    seen.add(node)
    // One value is a constant, such as the type of an event: it cannot grow.
    if (Array.isArray(node.enum) && node.enum.length > 1) {
      report({
        message: 'What the service sends may grow: list the known values in `x-extensible-enum` instead.',
        location: at.child(['enum']),
      })
    }
    for (const [name, part] of Object.entries(node)) {
      if (name === 'example' || name === 'examples' || name.startsWith('x-')) continue
      check({ report, resolve }, part, at.child([name]), at.source.absoluteRef)
    }
  }

  const inContent = (node, context) => {
    for (const [type, { schema }] of Object.entries(node.content ?? {}))
      check(
        context,
        schema,
        context.location.child(['content', type, 'schema']),
        context.location.source.absoluteRef,
      )
  }
  return { Response: inContent, WebhooksMap: { RequestBody: inContent } }
}

/** Fields of such names have one of a few values. In other fields, names in backticks are mostly other fields. */
const NAME_OF_VALUES = /(?:^|_)(?:code|event|kind|reason|stage|state|status|type)$/

/** What a client switches on is a list that programs read, and not only a sentence. */
function listedValues() {
  return {
    SchemaProperties(properties, { report, location }) {
      for (const [name, { type, description = '', ...rest }] of Object.entries(properties)) {
        const isListed = ['enum', 'x-extensible-enum', 'const', 'format', 'pattern'].some(
          (one) => one in rest,
        )
        if (!NAME_OF_VALUES.test(name) || ![type].flat().includes('string') || isListed) continue
        if (new Set(description.match(/`[a-z][a-z_.]*`/g)).size < 2) continue
        report({
          message: 'List the values in `enum` or `x-extensible-enum`, and not only in the description.',
          location: location.child([name]),
        })
      }
    },
  }
}

/** Generators take a composition of `required` for fields that are all required. */
function noRequiredCompositions() {
  return {
    Schema(node, { report, location }) {
      for (const name of ['allOf', 'anyOf', 'oneOf', 'not']) {
        const parts = [node[name] ?? []].flat()
        if (!parts.some((part) => part.required !== undefined && part.properties === undefined)) continue
        report({
          message: 'Say with `x-needs-one-of` which fields a body needs.',
          location: location.child([name]),
        })
      }
    },
  }
}

export const generatorRules = {
  'one-type': oneType,
  'number-width': numberWidth,
  'distinct-fields': distinctFields,
  'event-tags': eventTags,
  'open-values': openValues,
  'listed-values': listedValues,
  'no-required-compositions': noRequiredCompositions,
}
