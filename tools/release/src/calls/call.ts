// The recorded calls: the input of each call as it is on the wire, and how it was judged when it was recorded.

import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'

export interface RecordedCall {
  readonly id: string
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: Readonly<Record<string, string | readonly string[]>> | undefined
  /** Header names are in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
}

export interface CallVerdict {
  /** The error code of a call that is refused. */
  readonly code?: string | undefined
  /** The input of an accepted call that has no effect. */
  readonly ignored?: readonly string[] | undefined
}

export interface Recording {
  /** SHA-256 of the contract whose checkers gave the verdicts. */
  readonly contract: string
  readonly calls: readonly (RecordedCall & CallVerdict)[]
}

/** A line for the contract, and one for each call; gzipped, because the calls are much alike. */
export function readRecording(file: string): Recording {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n')
  const [{ contract }, ...calls] = lines.map((line) => JSON.parse(line))
  return { contract, calls }
}

export function writeRecording(file: string, { contract, calls }: Recording): void {
  const lines = [{ contract }, ...calls].map((line) => JSON.stringify(line))
  writeFileSync(file, gzipSync(`${lines.join('\n')}\n`, { level: 9 }))
}

/** One text for one call, without its verdict. */
export function textOf({ id, params, query, headers, body }: RecordedCall): string {
  return JSON.stringify({ id, params, query, headers, body })
}
