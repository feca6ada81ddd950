// Every JSON example of the contract, with the place whose type it must have.

export interface ContractExample {
  readonly kind: 'request' | 'response' | 'event'
  readonly operationId: string
  /** Of a response. */
  readonly status?: string
  readonly name: string
  /** The component that is the whole schema of the body, if one is. */
  readonly schema?: string
  readonly value: unknown
}

// biome-ignore lint/suspicious/noExplicitAny: a document that another program serves
type Json = any

const METHODS = ['get', 'put', 'post', 'delete', 'patch']

/** @param document an OpenAPI 3.1 document with local references only */
export function collectExamples(document: Json): ContractExample[] {
  const resolve = (node: Json): Json => (node?.$ref ? resolve(at(document, node.$ref)) : node)

  function jsonExamples(holder: Json): Pick<ContractExample, 'name' | 'schema' | 'value'>[] {
    const media = resolve(holder)?.content?.['application/json']
    if (!media) return []
    const reference: string | undefined = media.schema.$ref
    const schema = reference === undefined ? {} : { schema: reference.slice(reference.lastIndexOf('/') + 1) }
    const named = Object.entries(media.examples ?? {}).map(([name, example]) => ({
      name,
      ...schema,
      value: resolve(example).value as unknown,
    }))
    return 'example' in media ? [...named, { name: 'example', ...schema, value: media.example }] : named
  }

  function operationsOf(items: Json): Json[] {
    return Object.values(items ?? {}).flatMap((item) =>
      METHODS.flatMap((method) => resolve(item)[method] ?? []),
    )
  }

  return [
    ...operationsOf(document.paths).flatMap(({ operationId, requestBody, responses }) => [
      ...jsonExamples(requestBody).map((example) => ({ kind: 'request' as const, operationId, ...example })),
      ...Object.entries(responses).flatMap(([status, response]) =>
        jsonExamples(response).map((example) => ({
          kind: 'response' as const,
          operationId,
          status,
          ...example,
        })),
      ),
    ]),
    ...operationsOf(document.webhooks).flatMap(({ operationId, requestBody }) =>
      jsonExamples(requestBody).map((example) => ({ kind: 'event' as const, operationId, ...example })),
    ),
  ]
}

function at(document: Json, reference: string): Json {
  return reference
    .slice(2)
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((node, step) => node?.[step], document)
}
