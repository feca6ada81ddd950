// Code samples of a call: as a TypeScript program with the SDK (packages/client), and as a command line. `x-sdk` in the contract names the
// SDK's method, and `x-sample` selects the parameters. A test compiles and runs every sample.

import { operations } from '@lotline/contract'
import { sdkArguments } from '@lotline/contract/sdk-call'
import type { ExampleCall } from './example-call.ts'

/** How a sample uses the response. */
type ResultUse =
  /** It prints `data`. */
  | 'data'
  /** It iterates over all rows of all pages. If the call starts a job, it first waits for the job. */
  | 'rows'
  /** There is no response body. */
  | 'nothing'

export function sdkSample({ id, params, query, body }: ExampleCall): string {
  const { sdk, sample, acceptsFormats } = operations[id]
  const numbered = Object.entries(query).map(([name, value]) => [name, numberOf(name, value)])
  const values = sdkArguments(id, { params, query: Object.fromEntries(numbered), body }, {})
  // Without other parameters, the options object is omitted.
  if (Object.keys(values.at(-1) as object).length === 0) values.pop()
  const use: ResultUse = acceptsFormats.length === 0 ? 'nothing' : sample.rows ? 'rows' : 'data'
  const call = `lotline.${sdk.method}(${argumentsOf(values.map(typescriptOf))})`
  return `import { Lotline } from '@lotline/client'\n\nconst lotline = new Lotline()\n${USES[use](call)}\n`
}

const USES: Readonly<Record<ResultUse, (call: string) => string>> = {
  data: (call) => `const { data } = await ${call}\nconsole.log(data)`,
  rows: (call) => `const rows = ${call}\nfor await (const row of rows) console.log(row)`,
  nothing: (call) => `await ${call}`,
}

/** Each argument has its own line if they are too long for one. */
function argumentsOf(values: readonly string[]): string {
  const line = values.join(', ')
  if (values.length < 2 || line.includes('\n') || line.length <= MAX_ARGUMENTS) return line
  return `\n  ${values.join(',\n  ')},\n`
}

const MAX_ARGUMENTS = 60

/** Numeric query parameters are numbers in the SDK. */
function numberOf(name: string, value: string): string | number {
  return /_(?:min|max|items|hours|minutes)$|^(?:limit|offset)$/.test(name) ? Number(value) : value
}

const WIDTH = 80

/** Quoting of names and texts, and trailing commas. */
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

/** Formats a JSON value as handwritten TypeScript: no needless quotes, on one line if it fits. */
function typescriptOf(value: unknown): string {
  return print(value, '', TYPESCRIPT)
}

/** Formats a value as JSON, each part on one line if it fits. */
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

/** The command line of a call. It takes the address and the key from the environment, as the quick start sets them. */
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

/** Quotes for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
