// Where traces are sent, from the settings with the names that OpenTelemetry gives them.

import { Secret } from '../platform/secret.ts'

export interface TracingConfig {
  /** Where spans are sent. */
  readonly url: Secret
  /** `name=value` pairs separated by commas. */
  readonly headers: Secret | undefined
  readonly serviceName: string
  /** 0 to 1. */
  readonly share: number
}

interface TracingValues {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: Secret | undefined
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Secret | undefined
  readonly OTEL_EXPORTER_OTLP_HEADERS: Secret | undefined
  readonly OTEL_SERVICE_NAME: string
  readonly OTEL_TRACES_SAMPLER_ARG: number
}

/** undefined: no traces are kept. */
export function readTracing(values: TracingValues): TracingConfig | undefined {
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT?.reveal().replace(/\/+$/, '')
  const url =
    values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ??
    (base === undefined ? undefined : new Secret(`${base}/v1/traces`))
  if (url === undefined) return undefined
  return {
    url,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: values.OTEL_SERVICE_NAME,
    share: values.OTEL_TRACES_SAMPLER_ARG,
  }
}
