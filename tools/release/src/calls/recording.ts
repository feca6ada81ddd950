// The recording of calls, spec/recorded-calls.jsonl.gz: made with each new baseline, and compared with the contract as it is.

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { operationIds, operations } from '@lotline/contract'
import { findBase, UsageError } from '@lotline/schema-diff'
import { ReleaseRefusal } from '../refused.ts'
import { readRecording, textOf, writeRecording } from './call.ts'
import { describe, findDifference } from './differences.ts'
import { judge } from './judge.ts'

export const FILE = 'spec/recorded-calls.jsonl.gz'

export interface Outcome {
  /** The result as text for people. */
  readonly text: string
  readonly isRed: boolean
  /** Whether the calls were recorded for the baseline in spec/releases. */
  readonly isOfBaseline: boolean
}

/** @param anyBaseline whether the calls are judged also if they were recorded for another baseline */
export async function checkCalls(root: string, { anyBaseline = false } = {}): Promise<Outcome> {
  const { contract, calls } = readRecording(join(root, FILE))
  const isOfBaseline = contract === (await hashOfBaseline(root))
  if (!anyBaseline && !isOfBaseline) {
    const text = `${FILE} was recorded for another baseline. Record the calls again: pnpm recorded-calls --record`
    return { text, isRed: true, isOfBaseline }
  }
  const differences = calls.flatMap((call) => findDifference(call, judge(call)) ?? [])
  const isRed = differences.length > 0
  const lines = isRed
    ? [...describe(differences), `${differences.length} of ${calls.length} recorded calls break.`]
    : [`${calls.length} recorded calls are judged as they were.`]
  return { text: lines.join('\n'), isRed, isOfBaseline }
}

/** Undefined before the first. */
async function hashOfBaseline(root: string): Promise<string | undefined> {
  const file = await findBase(join(root, 'spec/releases')).catch((error: unknown) => {
    if (error instanceof UsageError) return undefined
    throw error
  })
  return file === undefined ? undefined : hashOf(await readFile(file))
}

/**
 * Records the calls that the contract as it is suggests, and keeps those that were accepted when the last baseline was
 * recorded: a call that a client may send stays in the recording, even when no example shows it any more.
 *
 * @returns what was done, in a sentence
 * @throws ReleaseRefusal when the same contract accepted a call that is refused now: then the checks have become stricter
 */
export async function recordCalls(root: string): Promise<string> {
  const file = join(root, FILE)
  const contract = hashOf(await readFile(join(root, 'packages/contract/src/generated/openapi.json')))
  const last = existsSync(file) ? readRecording(file) : undefined
  const differences = last?.calls.flatMap((call) => findDifference(call, judge(call)) ?? []) ?? []
  if (last?.contract === contract && differences.length > 0)
    throw new ReleaseRefusal(
      `${describe(differences).join('\n')}\nThe contract says the same as when they were accepted.`,
    )
  // Its tables of calls are for the contract as it is, and are not read where another document is judged.
  const { makeCalls } = await import('./make-calls.ts')
  const kept = (last?.calls ?? []).filter(
    ({ id, code }) => code === undefined && Object.hasOwn(operations, id),
  )
  const calls = [...new Map([...makeCalls(judge), ...kept].map((call) => [textOf(call), call])).values()]
  const judged = calls.map(({ id, params, query, headers, body }) => {
    const call = { id, params, query, headers, body }
    return { ...call, ...judge(call) }
  })
  writeRecording(file, { contract, calls: judged })
  const accepted = judged.filter(({ code }) => code === undefined).length
  return `${FILE} has ${calls.length} calls of ${operationIds.length} operations; ${accepted} are accepted. Commit it.`
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
