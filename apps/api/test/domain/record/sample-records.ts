// Records for tests: a part of the generated sample, with houses, whole buildings, and their units in every status.

import type { Property } from '@lotline/contract'
import { sampleListings } from '@lotline/sample-data'

export const SAMPLE: readonly Property[] = [...sampleListings({ homes: 600 })].map((record) =>
  // In the form that a file or a database returns.
  JSON.parse(JSON.stringify(record)),
)

/** Shortly after the day from which the sample counts. */
export const NOW = new Date('2026-11-03T12:00:00Z')
