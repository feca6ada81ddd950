// Records to prove guarantees on: a part of the generated sample, with houses, whole buildings and their units in
// every status.

import type { Property } from '@lotline/contract'
import { sampleListings } from '@lotline/sample-data'

export const SAMPLE: readonly Property[] = [...sampleListings({ homes: 600 })].map((record) =>
  // As it comes out of a file or a database.
  JSON.parse(JSON.stringify(record)),
)

/** An instant shortly after the day from which the sample counts. */
export const NOW = new Date('2026-11-03T12:00:00Z')
