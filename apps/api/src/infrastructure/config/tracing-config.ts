// Settings of the trace exporter, with the names that OpenTelemetry defines.

import { Secret } from '../platform/secret.ts'
import { headerPairs, secret, secretSetting, setting, share, url } from './setting-kinds.ts'

export const TRACING_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: secretSetting(
    secret(url('http', 'https')),
    undefined,
    'Base URL of an OpenTelemetry collector; traces go to /v1/traces below it, as OTLP over HTTP. Without it, no traces are kept.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: secretSetting(
    secret(headerPairs),
    undefined,
    'Headers sent to the collector with the traces, such as an access token.',
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(
    share,
    1,
    'Share of traces that is kept. Calls whose caller has decided not to keep its trace are not kept either.',
  ),
} as const

export interface TracingConfig {
  /** The URL of the exporter. */
  readonly url: Secret
  /** `name=value` pairs separated by commas. */
  readonly headers: Secret | undefined
  /** 0 to 1. */
  readonly share: number
}

interface TracingValues {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: Secret | undefined
  readonly OTEL_EXPORTER_OTLP_HEADERS: Secret | undefined
  readonly OTEL_TRACES_SAMPLER_ARG: number
}

/** Returns undefined if traces are off. */
export function readTracing(values: TracingValues): TracingConfig | undefined {
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT?.reveal().replace(/\/+$/, '')
  if (base === undefined) return undefined
  return {
    url: new Secret(`${base}/v1/traces`),
    headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    share: values.OTEL_TRACES_SAMPLER_ARG,
  }
}
