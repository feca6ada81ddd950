// All measurements, in the order in which they are made and shown.

import type { Measurement } from '../measurement.ts'
import { lookup } from './lookup.ts'
import { start } from './start.ts'

export const MEASUREMENTS: readonly Measurement[] = [lookup, start]
