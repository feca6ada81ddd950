// The contract as the reference shows it: word for word, with the price and samples of each operation and links to the
// guides. The contract itself, at /openapi.json, has neither.

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
import { curlSample, sdkSample } from './code-samples.ts'
import { exampleCall } from './example-call.ts'

const GUIDES = `The [guides](/docs) explain what goes beyond one operation: [quick start](/docs/quick-start),
[keys and limits](/docs/authentication), [search](/docs/search), [credits](/docs/credits), [jobs](/docs/jobs), [webhooks](/docs/webhooks),
[errors](/docs/errors), [formats](/docs/formats), [versions](/docs/versioning).`

/** A building of the sample: the contract's example is not one of those that a new service has. */
export const SAMPLE_BUILDING_URL = 'https://www.zillow.com/b/hickory-grove-residences-seattle-wa-LgrnZc/'

/** What the page fills in before a call is sent from it. */
function triedParameters(): Record<string, unknown> {
  const { parameters = {} } = openapi.components
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => {
      // The page sends the example of a header. A fixed key would make every second try an answer to the first one, and
      // `Prefer: dry-run` would make every try an estimate.
      if (parameter.name === 'Idempotency-Key' || parameter.name === 'Prefer') {
        const { example: _, examples: __, ...rest } = parameter
        return [name, rest]
      }
      if (name !== 'BuildingUrl') return [name, parameter]
      const sample = { summary: 'A building of the sample.', value: SAMPLE_BUILDING_URL }
      return [name, { ...parameter, examples: { sample, ...(parameter.examples as object) } }]
    }),
  )
}

/** The schema of error codes, and behind its description the messages of each code, as the guide on errors lists them. */
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

/** OpenAPI as JSON. */
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
    const operation = paths[path]![name] as { readonly description?: string }
    const credits = isCharged(operations[id]) ? `${priceInWords(operations[id])} (credits)` : 'free'
    const description = `**Price:** ${credits}.\n\n${operation.description ?? ''}`
    paths[path] = { ...paths[path], [name]: { ...operation, description, 'x-codeSamples': samples } }
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
