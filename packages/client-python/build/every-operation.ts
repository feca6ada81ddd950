// `node packages/client-python/build/every-operation.ts` writes tests/every_operation.py: each operation of the contract as a call
// of the client, with the least input that the contract gives as an example. mypy checks that each method exists and takes it.
// With --check it writes nothing, and fails when the file is not up to date.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type OperationId, operationIds, operations } from '@lotline/contract'
import { minimalCall } from '@lotline/contract/example-calls'
import { listParameters, wholeSchema } from '@lotline/contract/nodes'

const FILE = new URL('../tests/every_operation.py', import.meta.url)

/** Fields of bodies whose name in Python is not their own in snake_case: `async` is a keyword. */
const NAMES: Readonly<Record<string, string>> = { async: 'as_job' }

const HEADER = `# Generated from spec/ by \`pnpm generate\`. Edits are lost: change the contract instead.
"""Each operation of the contract as a call of the client. \`\`x-sdk\`\` in the contract names the method.

Each call is made with each documented error and each fault, and must have the outcome of the same call of the TypeScript client
(\`\`packages/client/test/every-operation.ts\`\`). A call that costs credits has \`\`repetition="charges"\`\`, and one that must not be
executed twice \`\`repetition="acts"\`\`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lotline import Lotline

CALLS: dict[str, Callable[[Lotline, Any], Any]] = {
`

/** The text of every_operation.py. */
export function everyOperation(): string {
  return `${HEADER}${operationIds.map((id) => `    "${id}": lambda c, options: ${pythonCall(id)},\n`).join('')}}\n`
}

/** Parameters that are required come first, by position. The fields of a body are named, except the changes of a PATCH. */
function pythonCall(id: OperationId): string {
  const { sdk, method } = operations[id]
  const { params, query, body } = minimalCall(id)
  const sent: Readonly<Record<string, unknown>> = { ...params, ...query }
  const valueAt = (name: string) => python(pythonNumber(id, name, sent[name]))
  const changes = method === 'PATCH' ? [python(body)] : []
  const fields = method === 'PATCH' ? [] : Object.entries((body ?? {}) as Record<string, unknown>)
  const args = [
    ...sdk.positional.map(valueAt),
    ...changes,
    ...fields.map(([name, value]) => `${NAMES[name] ?? snake(name)}=${python(value)}`),
    ...Object.keys(query)
      .filter((name) => !sdk.positional.includes(name))
      .map((name) => `${name}=${valueAt(name)}`),
  ]
  return `c.${snake(sdk.method)}(${[...args, '**options'].join(', ')})`
}

/** Example calls have texts, as a URL does. */
function pythonNumber(id: OperationId, name: string, value: unknown): unknown {
  const schema = wholeSchema(listParameters(id).find((parameter) => parameter.name === name)?.schema ?? {})
  return schema.type === 'integer' || schema.type === 'number' ? Number(value) : value
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function python(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${python(one)}`)
  return `{${entries.join(', ')}}`
}

if (import.meta.main) {
  const text = everyOperation()
  if (!process.argv.includes('--check')) writeFileSync(FILE, text)
  else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== text) {
    console.error('The calls of the Python client are out of date. Run `pnpm generate`.')
    process.exitCode = 1
  }
}
