// The header `Prefer` (RFC 7240), by which a caller chooses the answer of the mock:
// `Prefer: code=400, example=invalid_filters`. Preferences that the mock does not know are ignored, as the RFC says.

import type { Refusal } from './refusal.ts'

export interface Preference {
  /** The status of the answer. */
  readonly code?: number
  /** The name of an example in the contract; the names of errors begin with their code. */
  readonly example?: string
  /** Whether to make up a body from the schema rather than to give an example. */
  readonly dynamic: boolean
  /** What the made-up body is derived from; the same seed makes the same body. */
  readonly seed?: string
  /** What a service does with it: the call is not made, and the answer is what it would cost. */
  readonly dryRun: boolean
}

export function readPreference(header: string | readonly string[] | undefined): Preference | Refusal {
  const given = new Map<string, string>()
  for (const part of String(header ?? '').split(/[,;]/)) {
    const [name = '', value = ''] = part.split('=', 2).map((text) => text.trim())
    // RFC 7240: of a preference that is given twice the first one counts.
    if (!given.has(name.toLowerCase())) given.set(name.toLowerCase(), value.replace(/^"(.*)"$/, '$1'))
  }
  const code = given.get('code')
  if (code !== undefined && !/^[1-5]\d\d$/.test(code)) {
    return {
      code: 'invalid_parameter',
      message: 'In the header Prefer, code must be an HTTP status, for example: Prefer: code=402.',
      details: { parameter: 'Prefer' },
    }
  }
  const example = given.get('example')
  const seed = given.get('seed')
  return {
    ...(code !== undefined && { code: Number(code) }),
    ...(example !== undefined && { example }),
    dynamic: given.get('dynamic') === 'true',
    dryRun: given.has('dry-run'),
    ...(seed !== undefined && { seed }),
  }
}
