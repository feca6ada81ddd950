// The settings of the service in a run. Its patience is cut short, so that a run of a minute sees every kind of end; its
// secrets are words that can be looked for afterwards.

import { randomBytes } from 'node:crypto'

export interface Secrets {
  readonly providerToken: string
  readonly secretsKey: string
  readonly metricsToken: string
}

export function newSecrets(): Secrets {
  const token = (name: string) => `${name}-canary-${randomBytes(12).toString('hex')}`
  return {
    providerToken: token('provider'),
    metricsToken: token('metrics'),
    secretsKey: randomBytes(32).toString('base64'),
  }
}

export function serviceSettings(secrets: Secrets, providerPort: number): Readonly<Record<string, string>> {
  return {
    PROVIDER: 'http',
    PROVIDER_URL: `http://127.0.0.1:${providerPort}`,
    PROVIDER_TOKEN: secrets.providerToken,
    PROVIDER_TIMEOUT_MS: '1500',
    SECRETS_KEY: secrets.secretsKey,
    METRICS_TOKEN: secrets.metricsToken,
    JOB_LEASE_MS: '2000',
    JOB_TIMEOUT_MS: '60000',
    SYNC_TIMEOUT_MS: '20000',
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'on',
    WEBHOOK_BACKOFF_MS: '200',
    WEBHOOK_TIMEOUT_MS: '1000',
    LOG_LEVEL: 'trace',
    SAMPLE_DATA: 'off',
  }
}
