// Lets the checkers of the contract read another document than the generated one, for the rest of the process. The document
// takes the place of the generated modules that are made from it, before any of them is loaded.

import { registerHooks } from 'node:module'

type Node = Readonly<Record<string, unknown>>

const METHODS = ['get', 'put', 'post', 'patch', 'delete']

export function useDocument(document: object): void {
  const operations = `export const operations = ${JSON.stringify(operationsOf(document as Node))}
export const operationIds = Object.keys(operations)`
  const generated = [
    { end: '/contract/src/generated/openapi.json', format: 'json', source: JSON.stringify(document) },
    { end: '/contract/src/generated/operations.ts', format: 'module', source: operations },
  ] as const
  registerHooks({
    load(url, context, nextLoad) {
      const found = generated.find(({ end }) => url.endsWith(end))
      return found
        ? { format: found.format, source: found.source, shortCircuit: true }
        : nextLoad(url, context)
    },
  })
}

/** The part of the operation table that the checks read, in the form that `pnpm generate` writes. */
function operationsOf(document: Node): Node {
  const entries = Object.entries(document.paths as Readonly<Record<string, Node>>).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => {
      const operation = item[method] as Node
      const parameters = [item, operation].flatMap((node) => (node.parameters ?? []) as Node[])
      const responses = Object.entries(operation.responses as Readonly<Record<string, Node>>)
      const statuses = responses.filter(([, response]) => !('x-only-with' in follow(document, response)))
      return [
        String(operation.operationId),
        {
          method: method.toUpperCase(),
          path,
          price: { stages: stagesOf(operation['x-credits']) },
          statuses: Object.fromEntries(statuses.map(([status]) => [status, { errors: [], formats: [] }])),
          hasBody: operation.requestBody !== undefined,
          queryParameters: parameters
            .map((parameter) => follow(document, parameter))
            .filter((parameter) => parameter.in === 'query')
            .map(({ name }) => name),
        },
      ] as const
    }),
  )
  return Object.fromEntries(entries)
}

function stagesOf(credits: unknown): unknown[] {
  const { stages, ...only } = (credits ?? {}) as { readonly stages?: Node }
  const named = stages === undefined ? [[null, only] as const] : Object.entries(stages)
  return named.map(([stage, price]) => ({ stage, minimum: 0, ...(price as Node) }))
}

function follow(document: Node, node: Node): Node {
  if (typeof node.$ref !== 'string') return node
  const keys = node.$ref.slice(2).split('/')
  const target = keys.reduce<Node>(
    (here, key) => here[key.replaceAll('~1', '/').replaceAll('~0', '~')] as Node,
    document,
  )
  return follow(document, target)
}
