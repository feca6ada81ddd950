// The reasons why an area of a search is invalid, and the error that a client gets.

import { formatMessage } from '../messages.ts'
import type { Fault } from './finding.ts'

/** The reason why an area is invalid. */
export interface AreaFault {
  /** The path from the field `area`, joined by dots: `coordinates.0.3`. Empty for the area itself. */
  readonly path: string
  /** The invalid position, if the fault is one: two or three finite numbers. */
  readonly position?: readonly number[]
  /** The fault as the end of a sentence. */
  readonly fault: string
  /** What to do, without a final period. */
  readonly hint: string
}

/** Thrown while an area is read. */
export class UnusableAreaError extends Error {
  readonly fault: AreaFault

  constructor(fault: AreaFault) {
    super(fault.fault)
    this.fault = fault
  }
}

/** Converts the path of a place in an area field into the name that the client knows. */
export type NamePlace = (path: string) => string

/** Names places by the body field `name` and the path inside it. */
export function namePlacesIn(name: string): NamePlace {
  return (path) => (path === '' ? name : `${name}.${path}`)
}

/** The error that a client gets for an invalid area. */
export function areaRefusal({ path, position, fault, hint }: AreaFault, placeOf: NamePlace): Fault {
  const place = placeOf(path)
  const message = formatMessage('invalid_filters', 'area', { place, fault: [fault], hint: [hint] })
  const details = {
    parameter: place,
    path: place,
    ...(position && { position: [...position] }),
    hint: `${hint}.`,
  }
  return { code: 'invalid_filters', message, details }
}

/** The path from the area field. */
export type AreaPath = readonly (string | number)[]

export function throwUnusableArea(
  path: AreaPath | string,
  fault: string,
  hint: string,
  given?: unknown,
): never {
  const steps = typeof path === 'string' ? path : path.join('.')
  const position = Array.isArray(given) && given.length >= 2 ? given.slice(0, 3) : []
  const isPosition = position.length > 0 && position.every(Number.isFinite)
  throw new UnusableAreaError({ path: steps, fault, hint, ...(isPosition && { position }) })
}
