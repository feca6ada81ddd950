// Traces over OpenTelemetry, sent to a collector by OTLP over HTTP. start.ts imports this module only if an endpoint is configured, so that
// other processes do not load its libraries. It registers nothing globally and instruments nothing by itself: like the metrics, it listens
// to the observer of the app. So a span contains only what an observer may know (templates, codes, kinds, times) and the request id.
// Why: decisions/process/trace-sampling.md

import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { Config, TracingConfig } from '../../../infrastructure/config.ts'
import type { Observer, ReportEnd, RequestTraces } from '../../../infrastructure/platform.ts'

export interface Tracing {
  /** An observer that forwards everything to `inner` and records spans. */
  watch(inner: Observer): Observer
  /** Sends unsent spans, for a bounded time. */
  stop(): Promise<void>
}

/** How long spans are collected, and how long sending them may take. */
const SEND_EVERY_MS = 2_000
const SEND_TIMEOUT_MS = 5_000
/** How long a stop waits for a collector that does not respond. */
const STOP_TIMEOUT_MS = 3_000
const NOT_ENDED_WELL = new Set(['failed', 'broken', 'timed_out', 'no_answer', 'refused'])

export function startTracing(
  config: TracingConfig,
  { role }: Pick<Config, 'role'>,
  log: Pick<Logger, 'warn'>,
): Tracing {
  setGlobalErrorHandler((error) => log.warn({ err: error }, 'cannot send spans to the collector'))
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'lotline', 'lotline.role': role }),
    // The client's trace is continued, but our own sampling decides, so that clients cannot force us to keep all traces.
    sampler: new ParentBasedSampler({
      root: new TraceIdRatioBasedSampler(config.share),
      remoteParentSampled: new TraceIdRatioBasedSampler(config.share),
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url: config.url.reveal(),
          headers: headersOf(config),
          timeoutMillis: SEND_TIMEOUT_MS,
        }),
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_TIMEOUT_MS,
      }),
    ],
  })
  const tracer = provider.getTracer('lotline')
  const contexts = new AsyncLocalStorageContextManager().enable()

  function begin(
    name: string,
    kind: SpanKind,
    attributes: Attributes,
    parent: Context = contexts.active(),
  ): Span {
    return tracer.startSpan(name, { kind, attributes }, parent)
  }

  /** A span around a measurement of `inner`; its parent is the active span. */
  function both<O extends string>(
    end: ReportEnd<O>,
    name: string,
    kind: SpanKind,
    attributes: Attributes = {},
  ): ReportEnd<O> {
    const span = begin(name, kind, attributes)
    return (outcome) => {
      finish(span, outcome)
      end(outcome)
    }
  }

  const traces: RequestTraces = {
    begin({ traceparent }, follow) {
      const remote = traceparent === undefined ? null : parseTraceParent(traceparent)
      const parent = remote ? trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true }) : ROOT_CONTEXT
      const span = begin('request', SpanKind.SERVER, {}, parent)
      const context = trace.setSpan(ROOT_CONTEXT, span)
      contexts.with(context, follow)
      return {
        end({ method, route, status, code, requestId, operation }) {
          span.updateName(route === undefined ? method : `${method} ${route}`)
          span.setAttributes({
            'http.request.method': method,
            ...(route !== undefined && { 'http.route': route }),
            ...(status !== undefined && { 'http.response.status_code': status }),
            ...(code !== undefined && { 'error.type': code }),
            ...(operation !== undefined && { 'lotline.operation': operation }),
            'lotline.request_id': requestId,
          })
          if (status !== undefined && status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
  }

  return {
    watch: (inner) => ({
      ...inner,
      traces,
      waitForSlot: () => both(inner.waitForSlot(), 'slot wait', SpanKind.INTERNAL),
      settle: () => both(inner.settle(), 'settle', SpanKind.INTERNAL),
      askProvider: (query) =>
        both(inner.askProvider(query), `provider ${query}`, SpanKind.CLIENT, {
          'lotline.query': query,
        }),
      attemptWebhook: () => both(inner.attemptWebhook(), 'webhook attempt', SpanKind.CLIENT),
      async runJob(type, run) {
        const span = begin('job run', SpanKind.CONSUMER, { 'lotline.job_type': type }, ROOT_CONTEXT)
        try {
          const outcome = await contexts.with(trace.setSpan(ROOT_CONTEXT, span), () =>
            inner.runJob(type, run),
          )
          finish(span, String(outcome))
          return outcome
        } catch (error) {
          finish(span, 'broken')
          throw error
        }
      },
    }),
    async stop() {
      let late: NodeJS.Timeout | undefined
      const providerRetry = new Promise<void>((resolve) => {
        late = setTimeout(resolve, STOP_TIMEOUT_MS)
      })
      await Promise.race([provider.shutdown().catch(() => {}), providerRetry])
      clearTimeout(late)
      contexts.disable()
    },
  }
}

function finish(span: Span, outcome: string): void {
  span.setAttribute('lotline.outcome', outcome)
  if (NOT_ENDED_WELL.has(outcome)) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** Comma-separated `name=value` pairs with percent-encoded values (OTEL_EXPORTER_OTLP_HEADERS). */
function headersOf({ headers }: TracingConfig): Record<string, string> {
  const pairs = headers?.reveal().split(',') ?? []
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]
    }),
  )
}
