// The contract as the reference shows it: verbatim, plus the price and samples of each operation and links to the guides. The contract at
// /openapi.json has neither.

import {
  type ErrorCode,
  errorStatuses,
  isCharged,
  messageForms,
  openapi,
  operationIds,
  operations,
  priceInWords,
} from '@lotline/contract'
import { type Node, resolve } from '@lotline/contract/nodes'
import { curlSample, sdkSample } from './code-samples.ts'
import { exampleCall } from './example-call.ts'

const GUIDES = `The [guides](/docs) explain what goes beyond one operation: [quick start](/docs/quick-start),
[keys and limits](/docs/authentication), [search](/docs/search), [credits](/docs/credits), [jobs](/docs/jobs), [webhooks](/docs/webhooks),
[errors](/docs/errors), [formats](/docs/formats), [versions](/docs/versioning).`

/** A building of the sample. The contract's example is not in the data set of a new service. */
export const SAMPLE_BUILDING_URL = 'https://www.zillow.com/b/hickory-grove-residences-seattle-wa-LgrnZc/'

/** Optional, but GET /v1/listings requires one of its location parameters. */
const WHERE = 'BboxQuery'

/**
 * A parameter in the form for trying a call. Required parameters are filled in and sent. Others get `examples` for the reader to select,
 * because the page would send a plain `example` with every call.
 */
function triedParameter(parameter: Node, component?: string): Node {
  if (component === 'BuildingUrl') {
    const sample = { summary: 'A building of the sample.', value: SAMPLE_BUILDING_URL }
    return { ...parameter, examples: { sample, ...(parameter.examples as object) } }
  }
  if (parameter.required || component === WHERE) return parameter
  const { example = '', examples = { example: { value: example } }, ...rest } = parameter
  // A fixed key would replay the first response, and `Prefer: dry-run` would turn every call into an estimate.
  if (parameter.name === 'Idempotency-Key' || parameter.name === 'Prefer') return rest
  const unselected = Object.entries(examples as Node).map(([title, one]) => [
    title,
    { ...resolve(one), 'x-disabled': true },
  ])
  return { ...rest, examples: Object.fromEntries(unselected) }
}

function triedParameters(): Record<string, unknown> {
  const { parameters = {} } = openapi.components
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [name, triedParameter(parameter as Node, name)]),
  )
}

/**
 * Omits bodies of responses that need an optional parameter, such as an estimate. The page's calls accept the media type of the first
 * success status, and an estimate's would come before that of the 202.
 */
function triedResponses(responses: Node): Node {
  const shown = Object.entries(responses).map(([status, one]) => {
    const { 'x-only-with': parameter, content, ...rest } = resolve(one)
    return [status, parameter === undefined ? one : rest]
  })
  return Object.fromEntries(shown)
}

/** The schema of error codes. Its description also lists the messages of each code, as the guide on errors does. */
function errorCodes(): object {
  const { ErrorCode: schema } = openapi.components.schemas as { ErrorCode: { description: string } }
  const listOf = (title: string, messages: readonly string[]) =>
    messages.length === 0 ? [] : [`${title}:\n\n${messages.map((text) => `- \`${text}\``).join('\n')}`]
  const lists = [
    ...listOf('Any 400', messageForms('input')),
    ...(Object.keys(errorStatuses) as ErrorCode[]).flatMap((code) =>
      listOf(`\`${code}\``, messageForms(code)),
    ),
  ]
  return { ...schema, description: `${schema.description}\n**Messages**\n\n${lists.join('\n\n')}\n` }
}

/** The OpenAPI document as JSON. */
export function referenceDocument(): string {
  const { info } = openapi
  const paths: Record<string, Record<string, unknown>> = { ...openapi.paths }
  for (const id of operationIds) {
    const { path, method } = operations[id]
    const name = method.toLowerCase()
    const call = exampleCall(id)
    const samples = [
      { lang: 'shell', label: 'curl', source: curlSample(call) },
      { lang: 'typescript', label: 'TypeScript SDK', source: sdkSample(call) },
    ]
    const operation = paths[path]![name] as {
      readonly description?: string
      readonly parameters?: Node[]
      readonly responses: Node
    }
    const parameters = operation.parameters?.map((one) => ('$ref' in one ? one : triedParameter(one)))
    const credits = isCharged(operations[id]) ? `${priceInWords(operations[id])} (credits)` : 'free'
    const description = `**Price:** ${credits}.\n\n${operation.description ?? ''}`
    paths[path] = {
      ...paths[path],
      [name]: {
        ...operation,
        ...(parameters && { parameters }),
        responses: triedResponses(operation.responses),
        description,
        'x-codeSamples': samples,
      },
    }
  }
  return JSON.stringify({
    ...openapi,
    info: { ...info, description: `${GUIDES}\n\n${info.description ?? ''}` },
    paths,
    components: {
      ...openapi.components,
      parameters: triedParameters(),
      schemas: { ...openapi.components.schemas, ErrorCode: errorCodes() },
    },
  })
}
