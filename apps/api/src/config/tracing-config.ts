// Where traces are sent, from the settings with the names that OpenTelemetry gives them.

import { Secret } from '../platform/secret.ts'
import { headerPairs, secret, secretSetting, setting, share, text, url } from './setting-kinds.ts'

export const TRACING_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: secretSetting(
    secret(url('http', 'https')),
    undefined,
    'Base URL of an OpenTelemetry collector; traces go to /v1/traces below it, as OTLP over HTTP. Without it, no traces are kept.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: secretSetting(
    secret(url('http', 'https')),
    undefined,
    'The whole URL for traces, where it is another than the one below OTEL_EXPORTER_OTLP_ENDPOINT.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: secretSetting(
    secret(headerPairs),
    undefined,
    'Headers sent to the collector with the traces, such as an access token.',
  ),
  OTEL_SERVICE_NAME: setting(text('a name'), 'lotline', 'What the service is called in traces.'),
  OTEL_TRACES_SAMPLER_ARG: setting(
    share,
    1,
    'Share of traces that is kept. Calls whose caller has decided not to keep its trace are not kept either.',
  ),
} as const

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
