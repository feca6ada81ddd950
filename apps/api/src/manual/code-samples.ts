// A call as a program with the SDK (packages/client), and as a command line. The table says what each operation is called
// in the SDK; the compiler holds it complete, and a test compiles and runs every sample.

import { type OperationId, operations } from '@lotline/contract'
import type { ExampleCall } from './example-call.ts'

/** What a sample does with the answer. */
type Use =
  /** It shows `data`. */
  | 'data'
  /** It goes over all rows, on however many pages, and waits for the job where there is one. */
  | 'rows'
  /** Nothing comes back. */
  | 'nothing'

interface SdkCall {
  readonly method: string
  /** The parameter that stands first, by itself. */
  readonly first?: string
  /** The parameter that stands behind it, by itself too. */
  readonly second?: string
  readonly use: Use
}

const byZpid = (method: string): SdkCall => ({ method: `properties.${method}`, first: 'zpid', use: 'data' })

const SDK_CALLS: Readonly<Record<OperationId, SdkCall>> = {
  getPropertyByUrl: { method: 'properties.byUrl', first: 'url', use: 'data' },
  getPropertyByAddress: { method: 'properties.byAddress', first: 'address', use: 'data' },
  getProperty: byZpid('get'),
  getPropertyPhotos: byZpid('photos'),
  getPropertyPriceHistory: byZpid('priceHistory'),
  getPropertyTaxHistory: byZpid('taxHistory'),
  getPropertySchools: byZpid('schools'),
  getPropertyNearby: byZpid('nearby'),
  getPropertyAgent: byZpid('agent'),
  getPropertyZestimate: byZpid('zestimate'),
  getPropertyOpenHouses: byZpid('openHouses'),
  getPropertyFacts: byZpid('facts'),
  createPropertyBatch: { method: 'properties.batch', use: 'rows' },
  getBuildingUnits: { method: 'buildings.units', first: 'url', use: 'rows' },
  searchListings: { method: 'search.run', use: 'rows' },
  searchWithDetails: { method: 'search.withDetails', use: 'rows' },
  listListings: { method: 'listings.list', use: 'data' },
  searchForSale: { method: 'listings.forSale', use: 'rows' },
  searchForRent: { method: 'listings.forRent', use: 'rows' },
  searchSold: { method: 'listings.sold', use: 'rows' },
  listJobs: { method: 'jobs.list', use: 'rows' },
  getJob: { method: 'jobs.get', first: 'id', use: 'data' },
  abortJob: { method: 'jobs.abort', first: 'id', use: 'data' },
  getJobResults: { method: 'jobs.results', first: 'id', use: 'rows' },
  createWatch: { method: 'watches.create', use: 'data' },
  listWatches: { method: 'watches.list', use: 'data' },
  getWatch: { method: 'watches.get', first: 'id', use: 'data' },
  updateWatch: { method: 'watches.update', first: 'id', use: 'data' },
  deleteWatch: { method: 'watches.remove', first: 'id', use: 'nothing' },
  listWatchEvents: { method: 'watches.events', first: 'id', use: 'data' },
  createWebhook: { method: 'webhooks.create', use: 'data' },
  listWebhooks: { method: 'webhooks.list', use: 'data' },
  getWebhook: { method: 'webhooks.get', first: 'id', use: 'data' },
  updateWebhook: { method: 'webhooks.update', first: 'id', use: 'data' },
  testWebhook: { method: 'webhooks.test', first: 'id', use: 'data' },
  rotateWebhookSecret: { method: 'webhooks.rotateSecret', first: 'id', use: 'data' },
  getWebhookDelivery: { method: 'webhooks.delivery', first: 'id', second: 'delivery_id', use: 'data' },
  redeliverWebhookEvent: { method: 'webhooks.redeliver', first: 'id', second: 'delivery_id', use: 'data' },
  deleteWebhook: { method: 'webhooks.delete', first: 'id', use: 'nothing' },
  listWebhookDeliveries: { method: 'webhooks.deliveries', first: 'id', use: 'data' },
  listKeys: { method: 'keys.list', use: 'data' },
  createKey: { method: 'keys.create', use: 'data' },
  getKey: { method: 'keys.get', first: 'id', use: 'data' },
  updateKey: { method: 'keys.update', first: 'id', use: 'data' },
  rotateKey: { method: 'keys.rotate', first: 'id', use: 'data' },
  deleteKey: { method: 'keys.delete', first: 'id', use: 'nothing' },
  getAccount: { method: 'account.me', use: 'data' },
  estimateCall: { method: 'account.estimate', use: 'data' },
  listUsage: { method: 'account.usage', use: 'rows' },
  summarizeUsage: { method: 'account.usageSummary', use: 'data' },
}

export function sdkSample({ id, params, query, body }: ExampleCall): string {
  const { method, first, second, use } = SDK_CALLS[id]
  const given = { ...params, ...query }
  const named = Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => name !== first && name !== second)
      .map(([name, value]) => [name, numberOf(name, value)]),
  )
  const options = body ?? (Object.keys(named).length > 0 ? named : undefined)
  const values = [...[first, second].map((name) => name && given[name]), options].filter(
    (one) => one !== undefined,
  )
  const call = `lotline.${method}(${argumentsOf(values.map(typescriptOf))})`
  return `import { Lotline } from '@lotline/client'\n\nconst lotline = new Lotline()\n${USES[use](call)}\n`
}

const USES: Readonly<Record<Use, (call: string) => string>> = {
  data: (call) => `const { data } = await ${call}\nconsole.log(data)`,
  rows: (call) => `const rows = ${call}\nfor await (const row of rows) console.log(row)`,
  nothing: (call) => `await ${call}`,
}

/** Each on its own line where they are too long for one. */
function argumentsOf(values: readonly string[]): string {
  const line = values.join(', ')
  if (values.length < 2 || line.includes('\n') || line.length <= MAX_ARGUMENTS) return line
  return `\n  ${values.join(',\n  ')},\n`
}

const MAX_ARGUMENTS = 60

/** Numbers of a query are numbers in the SDK. */
function numberOf(name: string, value: string): string | number {
  return /_(?:min|max|items|hours|minutes)$|^(?:limit|offset)$/.test(name) ? Number(value) : value
}

const WIDTH = 80

/** How names and texts are quoted, and whether a comma ends the last line. */
interface Style {
  readonly name: (text: string) => string
  readonly text: (text: string) => string
  readonly lastComma: string
}

const TYPESCRIPT: Style = {
  name: (text) => (/^[A-Za-z_$][\w$]*$/.test(text) ? text : singleQuoted(text)),
  text: singleQuoted,
  lastComma: ',',
}
const JSON_STYLE: Style = { name: JSON.stringify, text: JSON.stringify, lastComma: '' }

/** A value of JSON as TypeScript is written by hand: no needless quotes, on one line where it fits. */
function typescriptOf(value: unknown): string {
  return print(value, '', TYPESCRIPT)
}

/** A value as JSON, each part of it on one line where it fits. */
export function jsonOf(value: unknown): string {
  return print(value, '', JSON_STYLE)
}

function print(value: unknown, indent: string, style: Style): string {
  if (typeof value === 'string') return style.text(value)
  if (value === null || typeof value !== 'object') return String(value)
  const parts = (at: string) =>
    Array.isArray(value)
      ? value.map((one) => print(one, at, style))
      : Object.entries(value).map(([name, one]) => `${style.name(name)}: ${print(one, at, style)}`)
  const flat = parts('').join(', ')
  const line = Array.isArray(value) ? `[${flat}]` : flat === '' ? '{}' : `{ ${flat} }`
  if (!line.includes('\n') && indent.length + line.length <= WIDTH) return line
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${inner}${parts(inner).join(`,\n${inner}`)}${style.lastComma}\n${indent}${close}`
}

function singleQuoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** A call as a command line. It takes address and key from the environment, as the quick start sets them. */
export function curlSample({ id, params, query, body }: ExampleCall): string {
  const { method, path } = operations[id]
  const url = path.replace(/\{([^}]+)\}/g, (_braces, name: string) => encodeURIComponent(params[name]!))
  const pairs = Object.entries(query)
  const verb =
    method === 'GET'
      ? pairs.length > 0
        ? '-G '
        : ''
      : method === 'POST' && body !== undefined
        ? ''
        : `-X ${method} `
  return [
    `curl ${verb}"$LOTLINE_BASE_URL${url}"`,
    '-H "Authorization: Bearer $LOTLINE_API_KEY"',
    ...pairs.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${quoted(jsonOf(body))}`]),
  ].join(' \\\n  ')
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
