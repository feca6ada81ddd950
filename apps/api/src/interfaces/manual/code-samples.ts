// A call as a program with the SDK (packages/client), and as a command line. `x-sdk` in the contract names the SDK's method, and
// `x-sample` what the sample shows. A test compiles and runs every sample.

import { operations } from '@lotline/contract'
import { sdkArguments } from '@lotline/contract/sdk-call'
import type { ExampleCall } from './example-call.ts'

/** What a sample does with the answer. */
type ResultUse =
  /** It shows `data`. */
  | 'data'
  /** It goes over all rows, on however many pages, and waits for the job where there is one. */
  | 'rows'
  /** Nothing comes back. */
  | 'nothing'

export function sdkSample({ id, params, query, body }: ExampleCall): string {
  const { sdk, sample, acceptsFormats } = operations[id]
  const numbered = Object.entries(query).map(([name, value]) => [name, numberOf(name, value)])
  const values = sdkArguments(id, { params, query: Object.fromEntries(numbered), body }, {})
  // Without other parameters, the object for them is left out.
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
