// Prism, of which the mock uses two parts: the reader of operations and the mocker. Its router, its validators and its
// proxy are not loaded. Each operation is read when it is first called, with the components that it refers to, since
// reading the whole contract takes longer than starting the mock.
// Why: decisions/contract/mock-bundles-prism.md

import { type OperationId, openapi, operations } from '@lotline/contract'
import { resolve } from '@lotline/contract/nodes'
import type mocker from '@stoplight/prism-http/dist/mocker/index.js'

type PrismMock = (typeof mocker)['default']
type Resource = Parameters<PrismMock>[0]['resource']
export type MockSettings = Parameters<PrismMock>[0]['config']
type Result = ReturnType<ReturnType<PrismMock>>

const LOG_LEVELS = ['trace', 'debug', 'info', 'success', 'warn', 'error', 'fatal']
const SILENT_LOGGER: unknown = {
  ...Object.fromEntries(LOG_LEVELS.map((level) => [level, () => undefined])),
  child: () => SILENT_LOGGER,
}
const resources = new Map<OperationId, Promise<Resource>>()

/** The response of Prism for an operation. A `Left` means that the contract has no such response. */
export async function mockByPrism(operationId: OperationId, config: MockSettings): Promise<Result> {
  // Prism is loaded on first use, so that the start does not wait for it.
  const mock = unwrapPrismMock(await import('@stoplight/prism-http/dist/mocker/index.js'))
  const { path, method } = operations[operationId]
  const data = {
    method: method.toLowerCase() as 'get',
    url: { path: path.replace(/\{[^}]+\}/g, '1'), query: {} },
    headers: {},
  }
  const resource = await readOperation(operationId)
  return mock({ resource, input: { data, validations: [] }, config })(SILENT_LOGGER as never)
}

/** Node takes a CommonJS module as a whole for its default export; test runners look into it. */
function unwrapPrismMock({ default: loaded }: { readonly default: typeof mocker | PrismMock }): PrismMock {
  return typeof loaded === 'function' ? loaded : loaded.default
}

function readOperation(operationId: OperationId): Promise<Resource> {
  const known = resources.get(operationId)
  if (known !== undefined) return known
  const reading = read(operationId)
  resources.set(operationId, reading)
  return reading
}

async function read(operationId: OperationId): Promise<Resource> {
  const { getHttpOperationsFromSpec } = await import('@stoplight/prism-http/dist/utils/operations.js')
  const [resource] = await getHttpOperationsFromSpec(singleOperationDocument(operationId))
  if (!resource) throw new Error(`Prism did not load the operation ${operationId} from the contract.`)
  return resource
}

/** A document with one operation and what it refers to; a copy, since Prism edits the document it is given. */
function singleOperationDocument(operationId: OperationId): object {
  const { path, method } = operations[operationId]
  const name = method.toLowerCase()
  const { parameters, [name]: operation } = resolve(openapi.paths[path]) as Readonly<Record<string, unknown>>
  const components: Record<string, Record<string, unknown>> = {}
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { $ref } = node as { readonly $ref?: unknown }
    const [, group, key] =
      typeof $ref === 'string' ? (/^#\/components\/([^/]+)\/([^/]+)/.exec($ref) ?? []) : []
    if (group !== undefined && key !== undefined && components[group]?.[key] === undefined) {
      components[group] = { ...components[group], [key]: resolve({ $ref: `#/components/${group}/${key}` }) }
      collect(components[group][key])
    }
    for (const value of Object.values(node)) collect(value)
  }
  collect([parameters, operation])
  return structuredClone({
    openapi: openapi.openapi,
    info: openapi.info,
    paths: { [path]: { ...(parameters !== undefined && { parameters }), [name]: operation } },
    components,
  })
}
