// An OpenTelemetry collector on loopback: takes OTLP over HTTP with JSON, and keeps the spans.

import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface KeptSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
}

export interface Collector {
  readonly url: string
  readonly spans: readonly KeptSpan[]
  readonly headers: readonly IncomingHttpHeaders[]
  readonly paths: readonly string[]
  /** All bodies as they came. */
  readonly text: string
}

interface Otlp {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly (KeptSpan & { attributes: Attribute[] })[] }[]
  }[]
}
interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

/** It ends with the test. */
export async function startCollector(): Promise<Collector> {
  const spans: KeptSpan[] = []
  const headers: IncomingHttpHeaders[] = []
  const paths: string[] = []
  let text = ''
  const server = createServer(async (request, response) => {
    headers.push(request.headers)
    paths.push(request.url!)
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts).toString()
    text += body
    for (const { scopeSpans } of (JSON.parse(body) as Otlp).resourceSpans) {
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        const pairs = span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])
        spans.push({ ...span, attributes: Object.fromEntries(pairs) as Record<string, unknown> })
      }
    }
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    paths,
    get text() {
      return text
    },
  }
}
