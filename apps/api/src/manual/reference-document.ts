// The contract as the reference shows it: word for word, with samples for each operation and the way to the guides. The
// contract itself, at /openapi.json, has neither.

import { openapi, operationIds, operations } from '@lotline/contract'
import { curlSample } from './curl-sample.ts'
import { exampleCall } from './example-call.ts'
import { sdkSample } from './sdk-sample.ts'

const GUIDES = `The [guides](/docs) explain what goes beyond one operation: [quick start](/docs/quick-start),
[keys and limits](/docs/authentication), [credits](/docs/credits), [jobs](/docs/jobs), [webhooks](/docs/webhooks),
[errors](/docs/errors), [formats](/docs/formats), [versions](/docs/versioning).`

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
    paths[path] = {
      ...paths[path],
      [name]: { ...(paths[path]![name] as object), 'x-codeSamples': samples },
    }
  }
  return JSON.stringify({
    ...openapi,
    info: { ...info, description: `${GUIDES}\n\n${info.description ?? ''}` },
    paths,
  })
}
