// Why an entry of a job gave no record. What is stored of a failed entry is its position, the start of the entry and one
// of these names; the code and the message are made from it when the job is read.

import type { JobFailure } from '@lotline/contract'

/** Characters of a failed entry that are stored. */
export const MAX_INPUT = 200

interface Told {
  readonly code: JobFailure['code']
  readonly message: string
}

export const FAILURE_REASONS = {
  unknown_zpid: { code: 'not_found', message: 'No home has this zpid.' },
  unknown_url: { code: 'not_found', message: 'No home or building is known by this URL.' },
  building_without_record: {
    code: 'not_found',
    message:
      'No record of its own is known for the building at this URL. To get its units, set extractBuildingUnits to all, ' +
      'or call GET /v1/buildings/by-url.',
  },
  unknown_address: { code: 'not_found', message: 'No home is known at this address.' },
  ambiguous_address: {
    code: 'not_found',
    message: 'Several homes fit this address. Add the unit or the ZIP code.',
  },
  unreadable: {
    code: 'not_found',
    message: 'This entry can no longer be read as a listing URL or an address.',
  },
  upstream_timeout: { code: 'upstream_timeout', message: 'The listing source did not answer in time.' },
  upstream_error: { code: 'upstream_error', message: 'The listing source failed.' },
  internal_error: { code: 'internal_error', message: 'Something went wrong on our side.' },
} as const satisfies Readonly<Record<string, Told>>

export type FailureReason = keyof typeof FAILURE_REASONS

/** The first MAX_INPUT characters. */
export function cutInput(input: string): string {
  return input.length <= MAX_INPUT ? input : Array.from(input).slice(0, MAX_INPUT).join('')
}
