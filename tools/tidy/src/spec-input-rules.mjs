/*
 * The rules for what calls send: numbers that every program reads alike, values that mean "absent", and limits on the
 * charge, which must work wherever a call costs something. Part of the house style (spec-house-style.mjs); plain JavaScript,
 * because redocly loads it.
 */

const typesOf = (schema) => [schema?.type ?? []].flat()
const isCharged = (stage) => stage?.price > 0

/** Whether a parameter without a value means the same as no parameter. */
function emptyValues() {
  return {
    Paths: {
      Parameter(node, { report }) {
        if (node.in !== 'query' || node.required || typeof node.allowEmptyValue === 'boolean') return
        report({ message: 'An optional parameter of the query needs `allowEmptyValue`, true or false.' })
      },
    },
  }
}

/** A double does not hold larger integers exactly, so 2^53 + 1 would be taken for another number. */
function exactIntegers() {
  // A schema that several operations share is reported once.
  const seen = new Set()

  function check({ report, resolve }, value, location, from) {
    const { node, location: at = location } = value?.$ref ? resolve(value, from) : { node: value }
    if (node === null || typeof node !== 'object' || seen.has(node)) return
    seen.add(node)
    if (typesOf(node).includes('integer') && !(node.maximum <= Number.MAX_SAFE_INTEGER))
      report({
        message: `An integer of the input needs a \`maximum\` of at most ${Number.MAX_SAFE_INTEGER}.`,
        location: at,
      })
    for (const [name, part] of Object.entries(node)) {
      if (name === 'example' || name === 'examples' || name.startsWith('x-')) continue
      check({ report, resolve }, part, at.child([name]), at.source.absoluteRef)
    }
  }

  const inSchema = (node, context) =>
    check(context, node, context.location, context.location.source.absoluteRef)
  return {
    Paths: {
      Parameter: inSchema,
      RequestBody: inSchema,
    },
  }
}

/** A call that costs something can be limited by its header, in its query, and in its body. */
function chargeLimit() {
  return {
    Paths: {
      PathItem(item, { report, location, resolve }) {
        for (const method of ['get', 'put', 'post', 'patch', 'delete']) {
          const operation = item[method]
          const { stages, ...price } = operation?.['x-credits'] ?? {}
          const costs = stages ? Object.values(stages).some(isCharged) : isCharged(price)
          // What is charged later, as events arise, is limited by the key.
          if (!costs || operation['x-charged-for'] !== undefined) continue
          const at = location.child([method])
          const found = (value) => (value?.$ref ? resolve(value).node : value)
          const names = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(
            (parameter) => found(parameter)?.name,
          )
          for (const name of ['X-Max-Credits', 'max_credits'])
            if (!names.includes(name))
              report({
                message: `A call that costs something needs the parameter \`${name}\`.`,
                location: at,
              })
          if (operation.requestBody === undefined) continue
          const body = resolve(found(operation.requestBody).content['application/json'].schema)
          if (!('maxCredits' in (body.node?.properties ?? {})))
            report({ message: 'The body of a call that costs something needs `maxCredits`.', location: at })
        }
      },
    },
  }
}

export const inputRules = {
  'empty-values': emptyValues,
  'exact-integers': exactIntegers,
  'charge-limit': chargeLimit,
}
