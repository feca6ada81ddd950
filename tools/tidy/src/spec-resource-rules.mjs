/*
 * The rules for what calls create and for who reads a refusal. A client learns where a new resource is, and a refusal of a call
 * without a known key documents no header that only a known key can have. Part of the house style (spec-house-style.mjs); plain
 * JavaScript, because redocly loads it.
 */

const HEADERS_OF_KNOWN_KEYS = ['X-Credits-Remaining', 'RateLimit-Policy', 'RateLimit']

/** Responses of an operation by status, wherever they are written, with what is inside of them. */
function responsesOf(node, { resolve }) {
  return Object.entries(node.responses ?? {}).map(([status, response]) => {
    const { node: found = response, location } = response.$ref ? resolve(response) : {}
    const from = location?.source.absoluteRef
    const inner = (value) => (value?.$ref ? resolve(value, from).node : value)
    return { status, response: found ?? {}, inner }
  })
}

/** What is created is at an address, and an operation reads it. */
function createdResources() {
  return {
    Paths: {
      Operation(node, context) {
        for (const { status, response } of responsesOf(node, context)) {
          if (status !== '201' && status !== '202') continue
          if (!response.headers?.Location)
            context.report({ message: `A ${status} needs the header \`Location\`.` })
          if (Object.keys(response.links ?? {}).length === 0)
            context.report({
              message: `A ${status} needs \`links\` to the operations that read what it created.`,
            })
        }
      },
    },
  }
}

/** What a repeated POST would create twice can be sent again with its key. */
function repeatedCreations() {
  return {
    Paths: {
      PathItem(item, context) {
        const { post } = item
        if (!post) return
        const created = responsesOf(post, context).filter(
          ({ status }) => status === '201' || status === '202',
        )
        const isRotation = /^(?:rotate|redeliver)/.test(post.operationId ?? '')
        if (created.length === 0 && !isRotation) return
        const parameters = (post.parameters ?? []).map((one) => (one.$ref ? context.resolve(one).node : one))
        if (!parameters.some((one) => one?.name === 'Idempotency-Key'))
          context.report({ message: 'A POST that creates something needs the parameter `Idempotency-Key`.' })
        const answers = isRotation
          ? responsesOf(post, context).filter(({ status }) => status === '200')
          : created
        if (!answers.every(({ response }) => response.headers?.['Idempotent-Replayed']))
          context.report({ message: 'The response of such a POST needs the header `Idempotent-Replayed`.' })
      },
    },
  }
}

/** What can be deleted can be read, and a DELETE can be repeated: it has no answer but 204. */
function deletedResources() {
  return {
    Paths: {
      PathItem({ get, delete: deletion }, { location, report }) {
        if (!deletion) return
        const fault = (message) => report({ message, location: location.child('delete') })
        if (!get) fault('A resource that can be deleted needs a GET on the same path.')
        const successes = Object.keys(deletion.responses ?? {}).filter((status) => /^2/.test(status))
        if (successes.join() !== '204') fault('A DELETE answers 204, also when it is repeated.')
        if (!/204 again/.test(deletion.description ?? ''))
          fault('A DELETE says in its description that it answers 204 again when it is repeated.')
      },
    },
  }
}

/** A 429 also goes to calls without a known key, which has no credits and no rate limit. */
function keylessRefusals() {
  return {
    Paths: {
      Operation(node, context) {
        const limited = responsesOf(node, context).find(({ status }) => status === '429')
        for (const name of HEADERS_OF_KNOWN_KEYS) {
          if (limited?.inner(limited.response.headers?.[name])?.required !== true) continue
          context.report({
            message: `A 429 cannot require the header \`${name}\`: a call without a known key gets none.`,
          })
        }
      },
    },
  }
}

export const resourceRules = {
  'created-resources': createdResources,
  'repeated-creations': repeatedCreations,
  'deleted-resources': deletedResources,
  'keyless-refusals': keylessRefusals,
}
