import { parseArgs } from 'node:util'
import { UsageError } from './usage-error.ts'

export const usage = `Usage: pnpm schema-diff [--base FILE] [--head FILE] [--allow FILE] [--json]

Compares two versions of the contract (OpenAPI 3.1, JSON or YAML, bundled) and says what breaks callers.

  --base FILE   the older one; the last release in spec/releases unless told
  --head FILE   the newer one; the working spec (spec/openapi.yaml, bundled afresh) unless told
  --allow FILE  the breaking changes that are meant (a list of rule, location and reason);
                spec/releases/unreleased.yaml unless told, which only speaks of the last release:
                against any other base it is not read
  --json        {breaking, harmless, allowed, unmatched} instead of text

Exit code: 0 nothing breaks · 1 a breaking change is not allowed, or an entry of the list matches nothing ·
2 the comparison could not be made`

export interface Arguments {
  readonly base: string | undefined
  readonly head: string | undefined
  readonly allow: string | undefined
  readonly json: boolean
  readonly help: boolean
}

/** @throws UsageError when an option is unknown or lacks its file */
export function parseArguments(texts: readonly string[]): Arguments {
  try {
    const { values } = parseArgs({
      args: [...texts],
      options: {
        base: { type: 'string' },
        head: { type: 'string' },
        allow: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return { ...values, base: values.base, head: values.head, allow: values.allow }
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${usage}`)
  }
}
