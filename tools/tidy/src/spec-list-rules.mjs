/*
 * One grammar for the resources of the contract. Part of the house style (spec-house-style.mjs); plain JavaScript, because redocly
 * loads it.
 *
 * A list is a free GET whose JSON `data` is an array. A GET that has a price is a lookup or a search: its rows are what it charges
 * for, `max_items` or the home bounds them, and it is outside of this grammar. So is a document that is not application/json.
 */

const LIST_META = ['count', 'limit', 'has_more']
const LEAST_DEFAULT = 100
/** Defaults that the requirement fixes. */
const FIXED_DEFAULTS = { '/v1/jobs': 50, '/v1/webhooks/{id}/deliveries': 50 }

/** A node behind its reference, with the file that it is in, from which its own references lead on. */
function follow({ resolve, location }, { node, from = location.source.absoluteRef }) {
  if (typeof node?.$ref !== 'string') return { node, from }
  const found = resolve(node, from)
  return { node: found.node, from: found.location?.source.absoluteRef ?? from }
}

/** The fields of an object with those of its parts, and the required ones. */
function objectOf(tools, place) {
  const { node = {}, from } = follow(tools, place)
  const parts = (node.allOf ?? []).map((part) => objectOf(tools, { node: part, from }))
  const own = Object.entries(node.properties ?? {}).map(([name, schema]) => [name, { node: schema, from }])
  return {
    fields: new Map([...parts.flatMap(({ fields }) => [...fields]), ...own]),
    required: [...parts.flatMap(({ required }) => required), ...(node.required ?? [])],
  }
}

function answerOf(tools, operation) {
  const response = follow(tools, { node: operation.responses?.['200'] ?? {} })
  const schema = response.node?.content?.['application/json']?.schema
  return schema && objectOf(tools, { node: schema, from: response.from })
}

const isFree = (operation) => operation['x-credits']?.price === 0

/** Every list has `limit`, `cursor`, and the same `meta`, and says in which order it is. */
function listGrammar() {
  return {
    Paths: {
      PathItem(item, { key: path, location, report, resolve }) {
        const tools = { resolve, location }
        const operation = item.get
        if (!operation || !isFree(operation)) return
        const answer = answerOf(tools, operation)
        const data = answer?.fields.get('data')
        if (!data || follow(tools, data).node?.type !== 'array') return
        const fault = (message) => report({ message: `A list ${message}.`, location: location.child('get') })
        const parameters = (operation.parameters ?? []).map((node) => follow(tools, { node }).node)
        const limit = parameters.find(({ name }) => name === 'limit')
        const least = FIXED_DEFAULTS[path] ?? LEAST_DEFAULT
        if (!(limit?.schema.default >= least && limit.schema.minimum === 1 && limit.schema.maximum >= least))
          fault(`needs a \`limit\` with a minimum of 1, a maximum, and a default of at least ${least}`)
        if (!parameters.some(({ name }) => name === 'cursor')) fault('needs a `cursor`')
        const meta = answer.fields.get('meta') && objectOf(tools, answer.fields.get('meta'))
        const wanted = [...LIST_META, ...(parameters.some(({ name }) => name === 'offset') ? ['offset'] : [])]
        const missing = wanted.filter((name) => !meta?.required.includes(name) || !meta.fields.has(name))
        if (!answer.required.includes('meta') || missing.length > 0)
          fault(`needs a required \`meta\` with the required fields ${wanted.join(', ')}`)
        if (!meta?.fields.has('next_cursor')) fault('needs `meta.next_cursor`')
        const texts = `${operation.description} ${operation.responses['200'].description}`
        if (!/\bfirst\b|in the order/.test(texts)) fault('says in which order it is')
      },
    },
  }
}

/** What a GET returns can be sent back: a resource that can be changed can be read, and the PATCH returns what the GET does. */
function sentBack() {
  return {
    Paths: {
      PathItem(item, { location, report, resolve }) {
        if (!item.patch) return
        const tools = { resolve, location }
        const fault = (message) => report({ message, location: location.child('patch') })
        if (!item.get) return fault('A resource that can be changed needs a GET on the same path.')
        const namesOf = (operation) => {
          const data = answerOf(tools, operation)?.fields.get('data')
          return data ? [...objectOf(tools, data).fields.keys()].sort().join() : ''
        }
        if (namesOf(item.get) !== namesOf(item.patch)) fault('A PATCH returns the resource as its GET does.')
        const has = namesOf(item.get).split(',')
        const body = follow(tools, { node: item.patch.requestBody ?? {} })
        const schema = body.node?.content?.['application/json']?.schema
        const taken = schema ? objectOf(tools, { node: schema, from: body.from }).fields.keys() : []
        // `paused` is said by the `status` of a watch.
        const unseen = [...taken].filter((name) => !has.includes(name) && name !== 'paused')
        if (unseen.length > 0)
          fault(`A PATCH takes fields under the names that the GET has: ${unseen.join(', ')}.`)
      },
    },
  }
}

export const listRules = { 'list-grammar': listGrammar, 'sent-back': sentBack }
