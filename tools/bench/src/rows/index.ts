// All measurements, in the order in which they are made and shown. On the server that they share, the webhooks come late,
// since from then on its accounts have some, and last what leaves a million usage rows to be vacuumed.

import type { Measurement } from '../measurement.ts'
import { areas } from './areas.ts'
import { batch } from './batch.ts'
import { feed } from './feed.ts'
import { guesses } from './guesses.ts'
import { imports } from './imports.ts'
import { keys } from './keys.ts'
import { listings } from './listings.ts'
import { lookup } from './lookup.ts'
import { mock } from './mock.ts'
import { readme } from './readme.ts'
import { results } from './results.ts'
import { rival } from './rival.ts'
import { scale } from './scale.ts'
import { search } from './search.ts'
import { small } from './small.ts'
import { start } from './start.ts'
import { undo } from './undo.ts'
import { usage } from './usage.ts'
import { watches } from './watches.ts'
import { webhooks } from './webhooks.ts'

export const MEASUREMENTS: readonly Measurement[] = [
  start,
  readme,
  lookup,
  rival,
  batch,
  webhooks,
  keys,
  guesses,
  small,
  scale,
  mock,
  imports,
  undo,
  feed,
  watches,
  listings,
  search,
  areas,
  results,
  usage,
]
