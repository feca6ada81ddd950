// Schemathesis against a running service: calls made from the contract, right and wrong ones, each answer of which must be one that
// the contract describes. It has two ways to make them: one that takes every bound of every field in turn, and a random one.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installVenv } from './python.ts'
import { runProgram } from './run-program.ts'

const REQUIREMENTS = fileURLToPath(new URL('../programs/schemathesis/requirements.txt', import.meta.url))
/** The whole contract. A service also serves it in a form for generators of clients, which leaves some answers out. */
const DOCUMENT = fileURLToPath(
  new URL('../../../packages/contract/src/generated/openapi.json', import.meta.url),
)
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]

/** A full run on a busy machine. */
const TIMEOUT_MS = 840_000

export interface FuzzOptions {
  readonly url: string
  /** undefined: the calls have no key. */
  readonly key?: string | undefined
  readonly seed: number
  readonly phases: readonly ('examples' | 'coverage' | 'fuzzing')[]
  /** Random calls of each operation. */
  readonly examples: number
  /** Operations at these paths are left out. */
  readonly without?: RegExp
}

/**
 * How many calls were made.
 *
 * @throws {Error} with each answer that is not as the contract says, and the call that it was given to
 */
export async function fuzz({ url, key, seed, phases, examples, without }: FuzzOptions): Promise<number> {
  const { command } = await installVenv('python3', REQUIREMENTS, ['--no-deps'])
  // It writes files into the folder that it runs in.
  const cwd = await mkdtemp(join(tmpdir(), 'lotline-fuzz-'))
  try {
    const output = await runProgram(
      command('schemathesis'),
      [
        'run',
        DOCUMENT,
        '--url',
        url,
        '--phases',
        phases.join(','),
        '--checks',
        CHECKS.join(','),
        '--seed',
        String(seed),
        '--max-examples',
        String(examples),
        '--generation-database',
        'none',
        '--no-shrink',
        '--continue-on-failure',
        '--suppress-health-check',
        'all',
        '--warnings',
        'off',
        // POST /v1/webhooks/{id}/test waits 15 seconds for a receiver that does not answer.
        '--request-timeout',
        '30',
        ...(key === undefined ? [] : ['--header', `Authorization: Bearer ${key}`]),
        ...(without ? ['--exclude-path-regex', without.source] : []),
      ],
      { cwd, timeoutMs: TIMEOUT_MS },
    )
    const calls = /([\d,]+) generated/.exec(output)?.[1]
    if (calls === undefined) throw new Error(`Schemathesis did not say how many calls it made:\n${output}`)
    return Number(calls.replaceAll(',', ''))
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}
