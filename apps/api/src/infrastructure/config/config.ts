// Reads the environment once, checks it completely, and returns a typed `Config`. Nothing else in this app reads process.env. All
// problems are reported together, one per line. Secrets are wrapped so that no log or error message shows them. The operations
// guide's table of settings is generated from the table below.

// Why: decisions/infrastructure/fewer-settings.md

import { resolve } from 'node:path'
import { Secret } from '../platform/secret.ts'
import { ADMIN_SETTINGS, type AdminConfig, readAdmin } from './admin-config.ts'
import { BILLING_SETTINGS, type BillingConfig, readBilling } from './billing-config.ts'
import { MAIL_SETTINGS, type MailParts, readMail } from './mail-config.ts'
import { MAP_TILES_SETTINGS, type MapTilesConfig } from './map-tiles-config.ts'
import { type IssuerConfig, OAUTH_SETTINGS, readIssuer } from './oauth-config.ts'
import {
  aliases,
  hostNames,
  integer,
  keys,
  networks,
  oneOf,
  onOff,
  origin,
  origins,
  portalMode,
  type Setting,
  secret,
  secretList,
  secretSetting,
  setting,
  several,
  storeUrl,
  text,
  url,
  urlTemplate,
} from './setting-kinds.ts'
import { readTracing, TRACING_SETTINGS, type TracingConfig } from './tracing-config.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Two health checks of a proxy that polls /readyz every two seconds, plus a margin. */
const DRAIN_DELAY_BESIDE_OTHERS_MS = 5_000

/** Every variable that Lotline reads. `*_MS` are milliseconds. */
export const SETTINGS = {
  PORT: setting(integer(0, 65535), 8080, 'Port to listen on; 0 takes any free one.'),
  HOST: setting(
    text('an address or host name'),
    '127.0.0.1',
    'Address to listen on; 0.0.0.0 serves all networks.',
  ),
  PUBLIC_URL: setting(
    origin,
    undefined,
    'Origin under which customers reach this service, such as https://api.example.com. Sign-in links begin with it. With https, the cookies of the portal are only sent over https. With https, or on this machine, agents can be connected by OAuth.',
  ),
  PORTAL: setting(
    portalMode,
    'on',
    'Whether the portal for customers is served at /portal, and who can open an account there. `on`: nobody, you open all accounts. `invite`: people with an invitation (`lotline portal invite`). `open`: anyone who confirms an e-mail address; needs SMTP_URL.',
  ),
  ...MAP_TILES_SETTINGS,
  ...ADMIN_SETTINGS,
  ...OAUTH_SETTINGS,
  ...BILLING_SETTINGS,
  ...MAIL_SETTINGS,
  DATA_DIR: setting(
    text('a path'),
    '.lotline',
    'Where the embedded database keeps its data; relative to the working directory.',
  ),
  DATABASE_URL: secretSetting(
    secret(url('postgresql', 'postgres')),
    undefined,
    'A PostgreSQL server (15 or newer) to use instead of the embedded database.',
  ),
  DATABASE_OWNER_URL: secretSetting(
    secret(url('postgresql', 'postgres')),
    undefined,
    'The same database as DATABASE_URL, as the role that owns the tables. The server uses it at its start, to migrate and to give the role in DATABASE_URL its rights; commands use it for all they do. Without it, the role in DATABASE_URL owns the tables.',
  ),
  DATABASE_READ_URL: secretSetting(
    secret(url('postgresql', 'postgres')),
    undefined,
    'A streaming replica of the server in DATABASE_URL, which searches the data set while it is as new as the primary.',
  ),
  VALKEY_URL: secretSetting(
    secret(storeUrl),
    undefined,
    'A Valkey or Redis server (6.2 or newer, maxmemory-policy noeviction) that carries rate windows and queues. Needed when several processes answer calls over one DATABASE_URL, and then the same for all.',
  ),
  ROLE: setting(
    oneOf('all', 'api', 'worker'),
    'all',
    'What this process does: answer requests, run jobs, or both.',
  ),
  PROVIDER: setting(
    oneOf('dataset', 'http'),
    'dataset',
    'Where listings come from: the imported data set, or a service that speaks the provider contract.',
  ),
  PROVIDERS: setting(
    several('dataset', 'http'),
    undefined,
    'Instead of PROVIDER: several providers in the order in which they are asked, `dataset,http` or `http,dataset`. The next one is asked when one fails, never when it answers that a home is not found or refuses a query.',
  ),
  PROVIDER_URL: setting(
    url('http', 'https'),
    undefined,
    'Base URL of the provider, needed with PROVIDER=http and with http in PROVIDERS.',
  ),
  PROVIDER_TOKEN: secretSetting(secret(text('a token')), undefined, 'Bearer token sent to the provider.'),
  PROVIDER_TIMEOUT_MS: setting(
    integer(10, 300_000),
    20_000,
    'How long one call to the provider may take. With PROVIDERS, each of them has an equal share of it.',
  ),
  SOURCE_ALIASES: setting(
    aliases,
    new Map() as ReadonlyMap<string, string>,
    'Public names of sources in `meta.source.name`, such as mls=Northwest MLS. A source is named as in `lotline listings stats`; a provider is http.',
  ),
  LISTING_HOSTS: setting(
    hostNames,
    // homes.example.com is the host of the sample data.
    ['zillow.com', 'homes.example.com'] as readonly string[],
    'Sites whose listing URLs are accepted, their subdomains included.',
  ),
  LISTING_URL_TEMPLATE: setting(
    urlTemplate,
    undefined,
    'Your own page of each home, such as https://homes.example.com/{zpid}: the link of homes whose record carries none. Lookups by URL accept these pages.',
  ),
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: setting(
    onOff,
    false,
    'Whether webhooks may go to private addresses and plain http. Leave it off where customers choose the URLs.',
  ),
  WEBHOOK_BACKOFF_MS: setting(
    integer(1, DAY_MS),
    60_000,
    'Wait before the second attempt of a delivery; the third waits four times as long.',
  ),
  WEBHOOK_TIMEOUT_MS: setting(integer(10, 300_000), 15_000, 'How long one delivery attempt may take.'),
  JOB_TIMEOUT_MS: setting(
    integer(10, 7 * DAY_MS),
    3_600_000,
    'How long a job may take before it is timed_out.',
  ),
  JOB_LEASE_MS: setting(
    integer(300, 3_600_000),
    30_000,
    'How long a silent worker keeps its jobs and the webhook deliveries that it is sending; leases are renewed three times as often.',
  ),
  SYNC_TIMEOUT_MS: setting(
    integer(10, 300_000),
    300_000,
    'How long a synchronous call may take, its time in the queue included.',
  ),
  SECRETS_KEY: secretSetting(
    secretList(keys),
    [] as readonly Secret[],
    'Key that encrypts webhook secrets at rest. Of several, the first encrypts and all decrypt. Without it, the first start makes one and keeps it in DATA_DIR/secrets.key. Several processes over one DATABASE_URL need the same and do not start without it.',
  ),
  TRUSTED_PROXIES: setting(
    networks,
    [] as readonly string[],
    'Addresses and networks of your proxies, separated by commas. Their X-Forwarded-For says where a call comes from, for the limit on failed API keys. Name no network that customers can connect from.',
  ),
  CORS_ORIGINS: setting(origins, '*' as const, 'Web origins that may call the API from a browser.'),
  METRICS_TOKEN: secretSetting(
    secret(text('a token')),
    undefined,
    'Bearer token for /metrics; without it only this machine may read them.',
  ),
  ...TRACING_SETTINGS,
  LOG_LEVEL: setting(
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'info',
    'The least severe lines that are logged.',
  ),
  SAMPLE_DATA: setting(
    onOff,
    true,
    'Whether a data set that never had a listing is filled with the sample at the start.',
  ),
} as const

type SettingTable = typeof SETTINGS
type SettingValue<K extends keyof SettingTable> =
  SettingTable[K] extends Setting<infer T, infer D> ? T | D : never
type SettingValues = { readonly [K in keyof SettingTable]: SettingValue<K> }

/** The name of a setting, as the environment spells it. */
export type SettingName = keyof SettingTable

export type ProviderConfig =
  | { readonly kind: 'dataset' }
  | { readonly kind: 'http'; readonly url: string; readonly token: Secret | undefined }

/** The checked settings. SETTINGS describes the fields. */
export interface Config extends MailParts {
  readonly port: number
  readonly host: string
  /** An origin without a trailing slash. undefined: the portal uses the Host header of each request. */
  readonly publicUrl: string | undefined
  /** undefined: the service is its own authorization server, if OAuth is on. */
  readonly oauthIssuer: IssuerConfig | undefined
  readonly portal: boolean
  /** undefined: the portal's map shows outlines only. */
  readonly mapTiles: MapTilesConfig | undefined
  /** The console for operators. undefined: there is none. */
  readonly admin: AdminConfig | undefined
  /** undefined: customers cannot order. */
  readonly billing: BillingConfig | undefined
  /** Absolute. */
  readonly dataDir: string
  readonly databaseUrl: Secret | undefined
  readonly databaseReadUrl: Secret | undefined
  /** undefined: the role in `databaseUrl` owns the tables. */
  readonly databaseOwnerUrl: Secret | undefined
  readonly valkeyUrl: Secret | undefined
  readonly role: 'all' | 'api' | 'worker'
  /** The primary provider. */
  readonly provider: ProviderConfig
  /** Fallback providers, in order. */
  readonly standIns: readonly ProviderConfig[]
  readonly providerTimeoutMs: number
  /** Aliases by the name of the source. */
  readonly sourceAliases: ReadonlyMap<string, string>
  /** Lower case. */
  readonly listingHosts: readonly string[]
  readonly listingUrlTemplate: string | undefined
  readonly webhooks: {
    readonly allowPrivateNetworks: boolean
    readonly backoffMs: number
    readonly timeoutMs: number
  }
  readonly jobs: { readonly timeoutMs: number; readonly leaseMs: number }
  readonly syncTimeoutMs: number
  /** 0 for a worker and for a sole process, because no proxy can send their calls elsewhere. */
  readonly drainDelayMs: number
  /** The first key encrypts. Empty if none is set. Each reveals 32 bytes in base64. */
  readonly secretsKeys: readonly Secret[]
  /** Addresses and networks (CIDR) whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
  readonly corsOrigins: '*' | readonly string[]
  readonly metricsToken: Secret | undefined
  /** undefined: no traces are kept. */
  readonly tracing: TracingConfig | undefined
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  readonly sampleData: boolean
}

/** Invalid settings. The message has one line per problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/**
 * Reads the settings. An unset or blank variable has its default; unknown variables are ignored.
 *
 * @throws {ConfigError} with all problems, not only the first
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = []
  refuseRemoved(env, problems)
  const values = readValues(env, problems)
  const [provider, ...standIns] = readProviders(values, env, problems)
  if (values.DATABASE_READ_URL && !env.DATABASE_URL?.trim()) {
    problems.push('DATABASE_READ_URL is set, but DATABASE_URL, of which it names a replica, is not.')
  }
  if (values.DATABASE_OWNER_URL && !env.DATABASE_URL?.trim()) {
    problems.push('DATABASE_OWNER_URL is set, but DATABASE_URL, which names the role of the service, is not.')
  }
  const admin = readAdmin(values, problems)
  const oauthIssuer = readIssuer(values, problems)
  const billing = readBilling(values, problems)
  const mail = readMail(values, env, problems)
  if (problems.length > 0) throw new ConfigError(problems)
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL,
    oauthIssuer,
    portal: values.PORTAL !== 'off',
    mapTiles: values.MAP_TILES,
    admin,
    billing,
    ...mail,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    databaseReadUrl: values.DATABASE_READ_URL,
    databaseOwnerUrl: values.DATABASE_OWNER_URL,
    valkeyUrl: values.VALKEY_URL,
    role: values.ROLE,
    provider,
    standIns,
    providerTimeoutMs: values.PROVIDER_TIMEOUT_MS,
    sourceAliases: values.SOURCE_ALIASES,
    listingHosts: values.LISTING_HOSTS,
    listingUrlTemplate: values.LISTING_URL_TEMPLATE,
    webhooks: {
      allowPrivateNetworks: values.WEBHOOK_ALLOW_PRIVATE_NETWORKS,
      backoffMs: values.WEBHOOK_BACKOFF_MS,
      timeoutMs: values.WEBHOOK_TIMEOUT_MS,
    },
    jobs: { timeoutMs: values.JOB_TIMEOUT_MS, leaseMs: values.JOB_LEASE_MS },
    syncTimeoutMs: values.SYNC_TIMEOUT_MS,
    drainDelayMs: defaultDrainDelayMs(values),
    secretsKeys: values.SECRETS_KEY,
    trustedProxies: values.TRUSTED_PROXIES,
    corsOrigins: values.CORS_ORIGINS,
    metricsToken: values.METRICS_TOKEN,
    tracing: readTracing(values),
    logLevel: values.LOG_LEVEL,
    sampleData: values.SAMPLE_DATA,
  }
}

/**
 * Reads a credential, such as the token of a feed, from an environment variable that the operator named. Returns undefined if it
 * is unset or blank.
 */
export function readSecretVariable(
  name: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Secret | undefined {
  const value = env[name]?.trim()
  return value === undefined || value === '' ? undefined : new Secret(value)
}

/**
 * Removed settings and their replacements. The service refuses to start with one, because ignoring it would not do what the
 * operator wants.
 */
const REMOVED_SETTINGS = {
  MAP_TILES_URL: 'Set MAP_TILES to the URL.',
  MAP_TILES_FILE: 'Set MAP_TILES to the path of the file.',
  MAP_TILES_ATTRIBUTION: 'Append it to MAP_TILES, after " | ".',
  SIGNUP: 'Set PORTAL to on (SIGNUP=off), invite, or open.',
  PAYMENTS: 'Stripe collects payments if STRIPE_SECRET_KEY is set. Without it, you approve orders.',
  OAUTH_ACCOUNT_CLAIM: 'Issue tokens with the id of the account in the claim lotline_account.',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT:
    'Set OTEL_EXPORTER_OTLP_ENDPOINT to the URL without /v1/traces at its end.',
  OTEL_SERVICE_NAME: 'The service is called lotline in traces. Rename it in your collector.',
  DRAIN_DELAY_MS: 'The delay is 5 seconds with VALKEY_URL, and 0 without it.',
  LEDGER_RETENTION_MONTHS: 'Use the option --keep-months of `lotline credits archive`.',
} as const

function refuseRemoved(env: Readonly<Record<string, string | undefined>>, problems: string[]): void {
  for (const [name, remedy] of Object.entries(REMOVED_SETTINGS))
    if (env[name]?.trim()) problems.push(`${name} is set, but it was removed. ${remedy} Then unset ${name}.`)
}

function readValues(env: Readonly<Record<string, string | undefined>>, problems: string[]): SettingValues {
  const values: Record<string, unknown> = {}
  for (const [name, { kind, fallback, secret }] of Object.entries<Setting<unknown, unknown>>(SETTINGS)) {
    const given = env[name]?.trim() ?? ''
    const value = given === '' ? fallback : kind.read(given)
    if (given !== '' && value === undefined) {
      problems.push(`${name}${secret ? '' : ` is ${JSON.stringify(given)}, but it`} needs ${kind.allowed}.`)
    }
    values[name] = value
  }
  return values as SettingValues
}

function readProviders(
  values: SettingValues,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): readonly [ProviderConfig, ...ProviderConfig[]] {
  if (env.PROVIDER?.trim() && env.PROVIDERS?.trim()) {
    problems.push('PROVIDER and PROVIDERS are both set. Set one of them.')
  }
  const setBy = values.PROVIDERS ? 'PROVIDERS with http' : 'PROVIDER=http'
  const read = (kind: ProviderConfig['kind']): ProviderConfig => {
    if (kind === 'dataset') return { kind }
    const url = values.PROVIDER_URL
    if (url === undefined && !env.PROVIDER_URL?.trim()) {
      problems.push(`PROVIDER_URL is not set, but ${setBy} needs the base URL of the provider.`)
    }
    return { kind, url: url ?? '', token: values.PROVIDER_TOKEN }
  }
  const [first = values.PROVIDER, ...others] = values.PROVIDERS ?? []
  return [read(first), ...others.map(read)]
}

function defaultDrainDelayMs({ VALKEY_URL, ROLE }: SettingValues): number {
  return VALKEY_URL && ROLE !== 'worker' ? DRAIN_DELAY_BESIDE_OTHERS_MS : 0
}
