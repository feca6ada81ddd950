// Reasons why an entry of a job has no record. A failed entry is stored as its position, its first characters, and the name of its reason.
// The error code and the message are derived when the job is read.

import { type ErrorCode, formatMessage, type JobFailure, type MessageCause } from '@lotline/contract'

/** Stored characters of a failed entry. */
const MAX_INPUT = 200

interface FailureText {
  readonly code: JobFailure['code']
  readonly message: string
}

/** The reason with its message from the contract. */
function failureText<Code extends JobFailure['code'] & ErrorCode>(
  code: Code,
  cause: MessageCause<Code>,
): FailureText {
  return { code, message: formatMessage(code, cause, {} as never) }
}

export const FAILURE_REASONS = {
  unknown_zpid: failureText('not_found', 'zpid_of_entry'),
  unknown_url: failureText('not_found', 'home_or_building_url'),
  building_without_record: failureText('not_found', 'building_record_in_job'),
  unknown_address: failureText('not_found', 'address'),
  ambiguous_address: failureText('not_found', 'several_homes'),
  unreadable: failureText('not_found', 'unreadable_entry'),
  upstream_timeout: failureText('upstream_timeout', 'entry'),
  upstream_error: failureText('upstream_error', 'entry'),
  internal_error: failureText('internal_error', 'entry'),
} as const satisfies Readonly<Record<string, FailureText>>

export type FailureReason = keyof typeof FAILURE_REASONS

/** Cuts an entry to its first MAX_INPUT characters. */
export function cutInput(input: string): string {
  return input.length <= MAX_INPUT ? input : Array.from(input).slice(0, MAX_INPUT).join('')
}
