/*
 * The house style of the public contract, as a plugin of redocly, which loads it by the path in
 * redocly.yaml and therefore needs plain JavaScript. It judges what lies below `paths`; the bodies we
 * send to receivers (`webhooks`) and what any OpenAPI document must keep are left to redocly's own rules.
 */

import { generatorRules } from './spec-generator-rules.mjs'
import { inputRules } from './spec-input-rules.mjs'
import { listRules } from './spec-list-rules.mjs'
import { resourceRules } from './spec-resource-rules.mjs'

const STATUSES_OF_EVERY_OPERATION = ['401', '402', '403', '414', '429', '431', '500', '503', '504']
const ACTORS = ['detail', 'search', 'account']
const LONGEST_SUMMARY = 60

const isText = (value) => typeof value === 'string' && value.trim() !== ''
const isCount = (value) => Number.isInteger(value) && value >= 0
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const hasOnly = (object, names) => Object.keys(object).every((name) => names.includes(name))

/** A price for the call has no minimum; a price for the row says its minimum, even if it is 0. */
const isPrice = (price) =>
  isObject(price) &&
  isCount(price.price) &&
  ((price.per === 'call' && hasOnly(price, ['price', 'per'])) ||
    (price.per === 'row' && isCount(price.minimum) && hasOnly(price, ['price', 'per', 'minimum'])))

const isPriceOfStages = (price) =>
  isObject(price) &&
  hasOnly(price, ['stages']) &&
  isObject(price.stages) &&
  Object.keys(price.stages).length > 0 &&
  Object.values(price.stages).every(isPrice)

/** Each operation can be named, summed up, explained, filed, and counted in the usage rows. */
function operation() {
  return {
    Paths: {
      Operation(node, { report }) {
        if (!/^[a-z][A-Za-z0-9]*$/.test(node.operationId ?? ''))
          report({ message: 'An operation needs an `operationId` in camelCase.' })
        if (!isText(node.summary) || node.summary.length > LONGEST_SUMMARY)
          report({ message: `An operation needs a \`summary\` of at most ${LONGEST_SUMMARY} characters.` })
        if (!isText(node.description)) report({ message: 'An operation needs a `description`.' })
        if (node.tags?.length !== 1) report({ message: 'An operation needs exactly one tag.' })
        if (!ACTORS.includes(node['x-actor']))
          report({ message: `An operation needs an \`x-actor\`, one of ${ACTORS.join(', ')}.` })
      },
    },
  }
}

/** Each operation says what it costs, in the one form that the server and the reference read. */
function price() {
  return {
    Paths: {
      Operation(node, { report, location }) {
        const credits = node['x-credits']
        if (isPrice(credits) || isPriceOfStages(credits)) return
        report({
          message:
            'An operation needs `x-credits` as {price, per: call}, {price, per: row, minimum} or {stages: {name: price}}.',
          location: credits === undefined ? location : location.child('x-credits'),
        })
      },
    },
  }
}

const hasSuccessBody = (responses, resolve) =>
  Object.entries(responses).some(([status, response]) => {
    const found = response.$ref ? resolve(response).node : response
    return /^2/.test(status) && Object.keys(found?.content ?? {}).length > 0
  })

/** What can happen to every call is documented for every operation. A client can refuse every form of a body with its Accept header: a 406. */
function errorStatuses() {
  return {
    Paths: {
      Operation({ responses = {} }, { report, location, resolve }) {
        const wanted = [
          ...STATUSES_OF_EVERY_OPERATION,
          ...(hasSuccessBody(responses, resolve) ? ['406'] : []),
        ]
        const missing = wanted.filter((status) => !(status in responses))
        if (missing.length === 0) return
        report({
          message: `Every operation lists the statuses ${missing.join(', ')} too.`,
          location: location.child('responses'),
        })
      },
    },
  }
}

/** Each error status names its codes, and each code has the example that the mock answers with. */
function errorCodes() {
  return {
    Paths: {
      Response(node, { key, report, location, resolve }) {
        if (!(Number(key) >= 400)) return
        const codes = node['x-error-codes']
        if (!Array.isArray(codes) || codes.length === 0 || new Set(codes).size !== codes.length) {
          report({ message: 'An error response needs `x-error-codes`, a list of different codes.' })
          return
        }
        const examples = node.content?.['application/json']?.examples ?? {}
        const where = location.child(['content', 'application/json', 'examples'])
        const named = Object.keys(examples)
        for (const code of codes.filter((code) => !named.includes(code)))
          report({ message: `The error code \`${code}\` has no example.`, location })
        for (const [name, example] of Object.entries(examples)) {
          const shown = resolve(example).node?.value?.error?.code
          // A code has the example of its name. It may have more, whose names begin with it: `rate_limited_by_address`.
          const code = codes.find((one) => name === one) ?? codes.find((one) => name.startsWith(`${one}_`))
          if (code === undefined)
            report({
              message: `The example \`${name}\` is named like none of the \`x-error-codes\`.`,
              location: where.child(name),
            })
          else if (shown !== code)
            report({
              message: `The example \`${name}\` shows the error code \`${shown}\`.`,
              location: where.child(name),
            })
        }
      },
    },
  }
}

/** A reader, and the mock, finds an example for each body that can be answered. */
function examples() {
  return {
    Paths: {
      Response: {
        MediaType(node, { key, report }) {
          if (node.example === undefined && Object.keys(node.examples ?? {}).length === 0)
            report({ message: `The response needs an example in ${key}.` })
        },
      },
    },
  }
}

/** Real statuses only: a `default` hides what can happen, and stops the server from checking it. */
function noDefaultResponse() {
  return {
    Paths: {
      Operation(node, { report, location }) {
        if ('default' in (node.responses ?? {}))
          report({
            message: 'List the real statuses instead of a `default` response.',
            location: location.child(['responses', 'default']),
          })
      },
    },
  }
}

/** One file for each URL: the root file only points to them. */
function onlyRefsBelowPaths() {
  return {
    Root(root, { report, location }) {
      for (const [path, item] of Object.entries(root.paths ?? {})) {
        if (isObject(item) && isText(item.$ref) && hasOnly(item, ['$ref'])) continue
        report({
          message: 'Below `paths` the root file holds nothing but a $ref for each URL.',
          location: location.child(['paths', path]),
        })
      }
    },
  }
}

export default function houseStyle() {
  return {
    id: 'house',
    rules: {
      oas3: {
        operation,
        price,
        'error-statuses': errorStatuses,
        'error-codes': errorCodes,
        examples,
        'no-default-response': noDefaultResponse,
        'only-refs-below-paths': onlyRefsBelowPaths,
        ...generatorRules,
        ...listRules,
        ...resourceRules,
        ...inputRules,
      },
    },
  }
}
