import { resolve } from 'node:path'
import { inspect } from 'node:util'
import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig, SETTINGS } from '../../../src/infrastructure/config/config.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('an empty environment configures a self-contained service', () => {
  expect(readConfig({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    portal: true,
    admin: undefined,
    billing: undefined,
    mail: undefined,
    signUp: 'off',
    dataDir: resolve('.lotline'),
    databaseUrl: undefined,
    valkeyUrl: undefined,
    role: 'all',
    provider: { kind: 'dataset' },
    standIns: [],
    providerTimeoutMs: 20_000,
    sourceAliases: new Map(),
    listingHosts: ['zillow.com', 'homes.example.com'],
    listingUrlTemplate: undefined,
    webhooks: { allowPrivateNetworks: false, backoffMs: 60_000, timeoutMs: 15_000 },
    jobs: { timeoutMs: 3_600_000, leaseMs: 30_000 },
    syncTimeoutMs: 300_000,
    drainDelayMs: 0,
    secretsKeys: [],
    trustedProxies: [],
    corsOrigins: '*',
    metricsToken: undefined,
    tracing: undefined,
    logLevel: 'info',
    sampleData: true,
  })
})

test('every setting can be set', () => {
  const config = readConfig({
    PORT: '0',
    HOST: '::1',
    PUBLIC_URL: 'https://api.example.com/',
    PORTAL: 'off',
    MAP_TILES: 'https://tiles.example.com/v1/{z}/{x}/{y}.png?key=1 | © OpenStreetMap contributors',
    ADMIN_PORT: '9910',
    ADMIN_HOST: '::',
    ADMIN_URL: 'https://console.example.com/',
    BILLING_FILE: '/etc/lotline/prices.yaml',
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_API_URL: 'http://127.0.0.1:4242',
    SMTP_URL: 'smtps://lot:pass-word@smtp.example.com:465',
    MAIL_FROM: 'Lotline <no-reply@example.com>',
    DATA_DIR: '/var/lib/lotline',
    DATABASE_URL: 'postgresql://lot:pass-word@db.example:5433/lots?sslmode=require',
    DATABASE_READ_URL: 'postgresql://lot:pass-word@replica.example:5433/lots?sslmode=require',
    VALKEY_URL: 'rediss://:pass-word@cache.example:6380/2',
    ROLE: 'worker',
    PROVIDER: 'http',
    PROVIDER_URL: 'https://listings.example/v2',
    PROVIDER_TOKEN: 'token-1',
    PROVIDER_TIMEOUT_MS: '500',
    SOURCE_ALIASES: 'mls-1=Northwest MLS, http=Partner feed',
    LISTING_HOSTS: 'zillow.com, Homes.Example.org',
    LISTING_URL_TEMPLATE: 'https://homes.example.com/home?id={zpid}',
    WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'on',
    WEBHOOK_BACKOFF_MS: '20',
    WEBHOOK_TIMEOUT_MS: '1000',
    JOB_TIMEOUT_MS: '60000',
    JOB_LEASE_MS: '3000',
    SYNC_TIMEOUT_MS: '1000',
    SECRETS_KEY: `${KEY},${KEY}`,
    CORS_ORIGINS: 'https://app.example.com, http://localhost:3000',
    METRICS_TOKEN: 'token-2',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20token-3,x-tenant=lots',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    LOG_LEVEL: 'silent',
    SAMPLE_DATA: 'off',
  })
  expect(config).toMatchObject({
    port: 0,
    host: '::1',
    publicUrl: 'https://api.example.com',
    portal: false,
    mapTiles: {
      from: { url: 'https://tiles.example.com/v1/{z}/{x}/{y}.png?key=1' },
      attribution: '© OpenStreetMap contributors',
    },
    admin: { port: 9910, host: '::', url: 'https://console.example.com' },
    billing: {
      file: '/etc/lotline/prices.yaml',
      stripe: { apiUrl: 'http://127.0.0.1:4242', publicUrl: 'https://api.example.com' },
    },
    mail: { from: { name: 'Lotline', address: 'no-reply@example.com' } },
    signUp: 'off',
    dataDir: '/var/lib/lotline',
    role: 'worker',
    provider: { kind: 'http', url: 'https://listings.example/v2' },
    standIns: [],
    providerTimeoutMs: 500,
    sourceAliases: new Map([
      ['mls-1', 'Northwest MLS'],
      ['http', 'Partner feed'],
    ]),
    listingHosts: ['zillow.com', 'homes.example.org'],
    listingUrlTemplate: 'https://homes.example.com/home?id={zpid}',
    webhooks: { allowPrivateNetworks: true, backoffMs: 20, timeoutMs: 1000 },
    jobs: { timeoutMs: 60_000, leaseMs: 3000 },
    syncTimeoutMs: 1000,
    corsOrigins: ['https://app.example.com', 'http://localhost:3000'],
    logLevel: 'silent',
    sampleData: false,
  })
  expect(config.databaseUrl?.reveal()).toBe('postgresql://lot:pass-word@db.example:5433/lots?sslmode=require')
  expect(config.secretsKeys.map((key) => key.reveal())).toEqual([KEY, KEY])
  expect(config.tracing).toMatchObject({ share: 0.25 })
  expect(config.tracing!.url.reveal()).toBe('http://collector.example:4318/v1/traces')
})

test('payment by Stripe needs all of its settings, and the error names each missing one', () => {
  expect(problemsOf({ STRIPE_SECRET_KEY: 'sk_live_1' })).toEqual([
    'BILLING_FILE is not set, but STRIPE_SECRET_KEY needs it.',
    'STRIPE_WEBHOOK_SECRET is not set, but STRIPE_SECRET_KEY needs it.',
    'PUBLIC_URL is not set, but STRIPE_SECRET_KEY needs it.',
  ])
  const manual = readConfig({ BILLING_FILE: '/etc/prices.yaml' })
  expect(manual.billing).toEqual({ file: '/etc/prices.yaml', stripe: undefined })
})

test('a blank variable counts as unset, and unknown variables are ignored', () => {
  expect(readConfig({ PORT: ' ', DATABASE_URL: '', SOMETHING_ELSE: 'x' })).toEqual(readConfig({}))
})

test('DATABASE_URL can name a socket in either notation', () => {
  for (const url of [
    'postgresql://lotline@%2Fvar%2Frun/lots',
    'postgres:///lots?host=/var/run&user=lotline',
  ]) {
    expect(readConfig({ DATABASE_URL: url }).databaseUrl?.reveal()).toBe(url)
  }
})

describe('configuration errors', () => {
  test('all problems are reported together, one per line', () => {
    const env = { PORT: '80a', ROLE: 'boss', PROVIDER: 'http', SAMPLE_DATA: 'maybe', LOG_LEVEL: 'INFO' }
    expect(problemsOf(env)).toEqual([
      'PORT is "80a", but it needs a whole number from 0 to 65535.',
      'ROLE is "boss", but it needs one of all, api, worker.',
      'LOG_LEVEL is "INFO", but it needs one of trace, debug, info, warn, error, fatal, silent.',
      'SAMPLE_DATA is "maybe", but it needs on or off.',
      'PROVIDER_URL is not set, but PROVIDER=http needs the base URL of the provider.',
    ])
    expect(() => readConfig(env)).toThrow(/^PORT is[^\n]*\nROLE is/)
  })

  test('map tiles come from a URL or a file, with or without an attribution', () => {
    const mapTiles = (MAP_TILES: string) => readConfig({ MAP_TILES }).mapTiles
    const file = resolve('tiles/map.pmtiles')
    expect(mapTiles('tiles/map.pmtiles')).toEqual({ from: { file } })
    expect(mapTiles('tiles/map.pmtiles | © A | B')).toEqual({ from: { file }, attribution: '© A | B' })
    const url = 'https://tiles.example.com/{z}/{x}/{y}'
    expect(mapTiles(url)).toEqual({ from: { url } })
  })

  test('a removed setting is refused, and the error names its replacement', () => {
    expect(problemsOf({ SIGNUP: 'open', DRAIN_DELAY_MS: '1', PAYMENTS: ' ' })).toEqual([
      'SIGNUP is set, but it was removed. Set PORTAL to on (SIGNUP=off), invite, or open. Then unset SIGNUP.',
      'DRAIN_DELAY_MS is set, but it was removed. The delay is 5 seconds with VALKEY_URL, and 0 without it. Then unset DRAIN_DELAY_MS.',
    ])
  })

  test.each([
    ['PORT', '65536'],
    ['MAP_TILES', 'https://tiles.example.com/{z}/{x}.png'],
    ['MAP_TILES', 'https://{z}.example.com/{x}/{y}.png'],
    ['MAP_TILES', 'https://tiles.example.com/{z}/{x}/{y}/{z}.png'],
    ['MAP_TILES', 'https://tiles.example.com/{s}/{z}/{x}/{y}.png'],
    ['MAP_TILES', "https://tiles.example.com/{z}/{x}/{y}.png; script-src 'unsafe-inline'"],
    ['MAP_TILES', 'ftp://tiles.example.com/{z}/{x}/{y}.png'],
    ['MAP_TILES', '/tiles/{z}/{x}/{y}.png'],
    ['PORT', '-1'],
    ['PORT', '1e3'],
    ['PROVIDER_URL', 'ftp://listings.example'],
    ['PROVIDER_URL', 'listings.example'],
    ['SOURCE_ALIASES', 'mls'],
    ['SOURCE_ALIASES', 'a=One,a=Two'],
    ['SOURCE_ALIASES', 'a=Zürich'],
    ['LISTING_HOSTS', 'https://zillow.com'],
    ['LISTING_HOSTS', ','],
    ['LISTING_URL_TEMPLATE', 'https://homes.example.com/'],
    ['LISTING_URL_TEMPLATE', 'https://{zpid}.example.com/'],
    ['LISTING_URL_TEMPLATE', 'https://homes.example.com/{zpid}/{zpid}'],
    ['LISTING_URL_TEMPLATE', 'homes.example.com/{zpid}'],
    ['LISTING_URL_TEMPLATE', 'https://homes.example.com/{id}/{zpid}'],
    ['MAIL_FROM', 'example.com'],
    ['MAIL_FROM', 'a@example.com, b@example.com'],
    ['MAIL_FROM', 'Ana <a@example.com> <b@example.com>'],
    ['PORTAL', 'maybe'],
    ['CORS_ORIGINS', 'https://app.example.com/path'],
    ['CORS_ORIGINS', '*,https://app.example.com'],
    ['SYNC_TIMEOUT_MS', '300001'],
    ['JOB_LEASE_MS', '0'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', '50%'],
    ['WEBHOOK_BACKOFF_MS', '1.5'],
  ])('%s=%s is refused, and the error shows the value', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([
      expect.stringMatching(
        new RegExp(`^${name} is ${JSON.stringify(value).replaceAll(/[*./]/g, '\\$&')}, but`),
      ),
    ])
  })

  test.each([
    ['DATABASE_URL', 'mysql://root:hunter2@db.example/lots'],
    ['DATABASE_URL', 'hunter2'],
    ['DATABASE_READ_URL', 'http://hunter2@replica.example'],
    ['VALKEY_URL', 'http://:hunter2@cache.example'],
    ['VALKEY_URL', 'redis://:hunter2@a.example,redis://:other@b.example'],
    ['SMTP_URL', 'http://lot:hunter2@smtp.example.com'],
    ['SMTP_URL', 'smtp://lot:hunter2@smtp.example.com/?logger=true'],
    ['SMTP_URL', 'smtps://lot:hunter2%@smtp.example.com'],
    ['SECRETS_KEY', 'hunter2'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://hunter2@collector.example'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'hunter2'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'token=%hunter2'],
    ['SECRETS_KEY', `${KEY},hunter2`],
  ])('an invalid %s is refused, and the error does not show it', (name, value) => {
    const problems = problemsOf({ [name]: value })
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} needs `))])
    expect(problems[0]).not.toContain('hunter2')
  })
})

test('a console on a public address needs its public URL', () => {
  for (const host of ['0.0.0.0', '::', '10.0.0.5', 'console.internal']) {
    expect(problemsOf({ ADMIN_PORT: '9910', ADMIN_HOST: host })).toEqual([
      expect.stringMatching(
        new RegExp(`^ADMIN_HOST is "${host}", which other machines can reach, but ADMIN_URL`),
      ),
    ])
  }
  for (const host of ['127.0.0.1', 'localhost', '::1'])
    expect(readConfig({ ADMIN_PORT: '9910', ADMIN_HOST: host }).admin?.host).toBe(host)
  expect(readConfig({ ADMIN_HOST: '0.0.0.0' }).admin).toBeUndefined()
})

test('a read replica needs a primary database', () => {
  expect(() => readConfig({ DATABASE_READ_URL: 'postgresql://lot:hunter2@replica.example/lots' })).toThrow(
    /^DATABASE_READ_URL is set, but DATABASE_URL, of which it names a replica, is not\.$/,
  )
})

test('mail and sign-up need the settings that they depend on', () => {
  const smtp = { SMTP_URL: 'smtp://lot:hunter2@smtp.example.com' }
  const from = { MAIL_FROM: 'a@example.com' }
  const at = { PUBLIC_URL: 'https://api.example.com' }
  expect(problemsOf({ ...smtp, ...from })).toEqual([
    'SMTP_URL is set, but PUBLIC_URL, with which the links in mails begin, is not.',
  ])
  expect(problemsOf({ ...smtp, ...at })).toEqual([
    'SMTP_URL is set, but MAIL_FROM, the sender of the mails, is not.',
  ])
  expect(problemsOf({ ...at, PORTAL: 'open' })).toEqual([
    'PORTAL is open, but SMTP_URL, with which addresses are confirmed, is not set.',
  ])
  // An invalid value is reported once.
  expect(problemsOf({ ...smtp, ...at, MAIL_FROM: 'nobody' })).toHaveLength(1)
  expect(readConfig({ PORTAL: 'invite' })).toMatchObject({ signUp: 'invite', mail: undefined })
  expect(readConfig({ ...smtp, ...from, ...at, PORTAL: 'open' })).toMatchObject({
    signUp: 'open',
    mail: { from: { name: '', address: 'a@example.com' } },
  })
})

test('printing the configuration in any way reveals no secret', () => {
  const config = readConfig({
    DATABASE_URL: 'postgresql://lot:hunter2@db.example/lots',
    VALKEY_URL: 'redis://:hunter2@cache.example',
    PROVIDER: 'http',
    PROVIDER_URL: 'https://listings.example',
    PROVIDER_TOKEN: 'hunter2',
    METRICS_TOKEN: 'hunter2',
    SECRETS_KEY: KEY,
  })
  let logged = ''
  pino({}, { write: (line) => (logged += line) }).info(
    { config },
    `${config.metricsToken} ${config.secretsKeys}`,
  )
  for (const printed of [logged, JSON.stringify(config), inspect(config, { depth: 9, showHidden: true })]) {
    expect(printed).toContain('[secret]')
    expect(printed).not.toContain('hunter2')
    expect(printed).not.toContain(KEY)
  }
})

test('every setting has a description', () => {
  for (const [name, { description, kind }] of Object.entries(SETTINGS)) {
    expect(description, name).toMatch(/^[A-Z].*\.$/)
    expect(kind.allowed, name).not.toBe('')
  }
})

describe('OAUTH_ISSUER', () => {
  const env = {
    PUBLIC_URL: 'http://127.0.0.1:8080',
    OAUTH_ISSUER: 'http://127.0.0.1:9000',
    OAUTH_ISSUER_ALLOW_PRIVATE_NETWORK: 'on',
  }

  test('needs PUBLIC_URL, and is refused over plain http or with a query', () => {
    const read = (changes: Record<string, string>) => () => readConfig({ ...env, ...changes })
    expect(read({})).not.toThrow()
    expect(read({ PUBLIC_URL: '' })).toThrow('PUBLIC_URL must be an https:// origin')
    expect(read({ PUBLIC_URL: 'http://api.example.com' })).toThrow('PUBLIC_URL must be an https:// origin')
    expect(read({ OAUTH_ISSUER_ALLOW_PRIVATE_NETWORK: 'off' })).toThrow(
      'OAUTH_ISSUER must begin with https://',
    )
    expect(read({ OAUTH_ISSUER: 'https://id.example.com/?x=1' })).toThrow('no query')
  })
})
