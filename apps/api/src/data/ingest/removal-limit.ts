// Limits how many stored homes one import may remove, hide, or withdraw without the operator's permission: a file that is incomplete, or
// whose columns are garbled, must not empty the data set.

import { type RestrictedHomes, UNCHANGED } from '../rights/restricted-homes.ts'
import { ImportFailure } from './source-row.ts'

/** The greater of the two is the limit of each source. */
export const REMOVAL_LIMIT = { share: 0.2, homes: 10 } as const

/** @param homes all homes of the source */
export function isWithinLimit(vanishing: number, homes: number): boolean {
  return vanishing <= REMOVAL_LIMIT.homes || vanishing <= REMOVAL_LIMIT.share * homes
}

/**
 * @param allowed homes that may be removed or hidden in any case
 * @param first the first row with a value that is not understood, for the message
 * @throws {ImportFailure} when values that are not understood would remove or hide more homes of a source than the limit
 */
export async function requireUnderstood(
  restricted: RestrictedHomes,
  allowed: number,
  first: string | undefined,
): Promise<void> {
  const sources = await restricted.countUnread()
  const all = sources.reduce((sum, { unread }) => sum + unread, 0)
  if (all <= allowed) return
  for (const { source, homes, unread } of sources) {
    if (isWithinLimit(unread, homes)) continue
    throw new ImportFailure(
      `Values that are neither yes nor no would remove or hide ${unread} of the ${homes} homes of the source ` +
        `"${source}" (${Math.round((unread / homes) * 100)}%). If they are more than ${REMOVAL_LIMIT.share * 100}%, the ` +
        `column may be garbled${first === undefined ? '' : `: ${first}`}. ${UNCHANGED} Correct the file, or explain the ` +
        `values in its mapping. If these homes may not be shown, repeat the import with --allow-removals ${all}.`,
    )
  }
}
