// A call as a command line. It takes address and key from the environment, as the quick start sets them.

import { operations } from '@lotline/contract'
import type { ExampleCall } from './example-call.ts'
import { jsonOf } from './literal.ts'

export function curlSample({ id, params, query, body }: ExampleCall): string {
  const { method, path } = operations[id]
  const url = path.replace(/\{([^}]+)\}/g, (_braces, name: string) => encodeURIComponent(params[name]!))
  const pairs = Object.entries(query)
  const verb = method === 'GET' ? (pairs.length > 0 ? '-G ' : '') : method === 'POST' ? '' : `-X ${method} `
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
