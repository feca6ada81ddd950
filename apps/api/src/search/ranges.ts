// Reading the parts that filters of bodies and of search URLs share: a box and a range. No contract has judged what is
// in a URL. Each returns the value or the fault, without a place and a code, so that every caller can add its own.

import { type InputFault, inputFault, shownValue } from '@lotline/contract'
import type { BoundingBox, Range } from './area-search.ts'

/** Why a value cannot be used. */
export interface Fault {
  readonly fault: InputFault
}

const MAX_BOUND = 1e12

/** undefined: the range restricts nothing. A null end is an open one. */
export function readRange(value: unknown): Range | Fault | undefined {
  if (!isRecord(value)) return { fault: inputFault('range_form', { value: shownValue(value) }) }
  const min = readBound(value, 'min')
  const max = readBound(value, 'max')
  for (const [name, bound] of [['min', min] as const, ['max', max] as const]) {
    if (bound === undefined) continue
    if (typeof bound !== 'number' || !Number.isFinite(bound) || bound < 0 || bound > MAX_BOUND) {
      return { fault: inputFault('range_bound', { end: name, value: shownValue(bound) }) }
    }
  }
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    return { fault: inputFault('range_inverted', { min, max }) }
  }
  if (min === undefined && max === undefined) return undefined
  return {
    ...(typeof min === 'number' ? { min } : {}),
    ...(typeof max === 'number' ? { max } : {}),
  }
}

/** A box in degrees. `west` may lie east of `east`: the box then crosses the antimeridian. */
export function readBox(value: unknown): BoundingBox | Fault {
  if (!isRecord(value)) return { fault: inputFault('box_form', { value: shownValue(value) }) }
  const [west, south, east, north] = ['west', 'south', 'east', 'north'].map((name) => own(value, name))
  if (!isDegree(west, 180) || !isDegree(east, 180)) {
    return { fault: inputFault('box_longitude', { west: shownValue(west), east: shownValue(east) }) }
  }
  if (!isDegree(south, 90) || !isDegree(north, 90)) {
    return { fault: inputFault('box_latitude', { south: shownValue(south), north: shownValue(north) }) }
  }
  if (south > north) return { fault: inputFault('box_inverted', { south, north }) }
  return { west, south, east, north }
}

export function isFault(value: object | undefined): value is Fault {
  return value !== undefined && 'fault' in value
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value that the object itself holds, so that `constructor` and the like are absent. */
export function own(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function readBound(range: Readonly<Record<string, unknown>>, name: string): unknown {
  return own(range, name) ?? undefined
}

function isDegree(value: unknown, limit: number): value is number {
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= limit
}
