// Sends the requests of tests through the SDK: with LOTLINE_THROUGH_SDK=1 the whole run uses it. A request that the SDK cannot
// send exactly (an invalid body, a duplicate parameter, another method) uses `fetch`.

import { isDeepStrictEqual } from 'node:util'
import { type CallOptions, Lotline } from '@lotline/client'
import { type OperationId, operationIds, operations } from '@lotline/contract'
import { callThroughSdk } from '@lotline/contract/sdk-call'

export interface RequestOptions {
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a text is sent as it is, and bytes without a type too. */
  readonly body?: unknown
  readonly signal?: AbortSignal
}

export const THROUGH_SDK = process.env.LOTLINE_THROUGH_SDK === '1'

/** Thrown into the SDK in place of a response. */
class NotTheSame extends Error {}

const ROUTES = operationIds.map((id) => {
  const { path } = operations[id]
  const pattern = path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  return { id, method: operations[id].method, pattern: new RegExp(`^${pattern}$`), isFixed: pattern === path }
})
// A fixed path takes precedence over one with parameters.
ROUTES.sort((a, b) => Number(b.isFixed) - Number(a.isFixed))

/** The raw response to the same request through the SDK; undefined if the SDK would not send it. */
export async function sendThroughSdk(
  origin: string,
  method: string,
  path: string,
  { key, headers = {}, body, signal }: RequestOptions,
): Promise<Response | undefined> {
  const call = readCall(method, path, body)
  // The SDK itself refuses an empty key.
  if (!call || !key || Object.keys(headers).some((name) => /^authorization$/i.test(name))) return
  let answer: Response | undefined
  const lotline = new Lotline({
    apiKey: key,
    baseUrl: origin,
    maxRetries: 0,
    timeoutMs: 600_000,
    async fetch(request, init) {
      if (!(await isSame(request, { method, url: origin + path, body }))) throw new NotTheSame()
      const response = await fetch(request, init)
      answer = response.clone()
      return response
    },
  })
  const options = { headers, ...(signal && { signal }) } as CallOptions
  try {
    await callThroughSdk(lotline, call.id, call, options)
  } catch (error) {
    // These tests ignore the SDK's result, but not a missing response.
    if (answer === undefined && signal?.aborted) throw error
  }
  return answer
}

function readCall(method: string, path: string, body: unknown) {
  const url = URL.parse(path, 'http://lotline')
  const isJson =
    body === undefined || (typeof body === 'object' && body !== null && !ArrayBuffer.isView(body))
  if (!url || !isJson) return undefined
  for (const { id, pattern, ...route } of ROUTES) {
    const match = route.method === method ? pattern.exec(url.pathname) : null
    if (!match) continue
    return {
      id: id as OperationId,
      params: match.groups ?? {},
      query: Object.fromEntries(url.searchParams),
      body,
    }
  }
  return undefined
}

/** Whether the SDK's request equals the test's request. */
async function isSame(
  request: Request,
  asked: { readonly method: string; readonly url: string; readonly body: unknown },
): Promise<boolean> {
  const [sent, wanted] = [new URL(request.url), new URL(asked.url)]
  const pairs = (url: URL) => [...url.searchParams].map((pair) => pair.join('=')).sort()
  const text = await request.clone().text()
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  return (
    request.method === asked.method &&
    sent.pathname === wanted.pathname &&
    isDeepStrictEqual(pairs(sent), pairs(wanted)) &&
    isDeepStrictEqual(body, asked.body === undefined ? undefined : JSON.parse(JSON.stringify(asked.body)))
  )
}
