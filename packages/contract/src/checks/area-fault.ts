// Why an area of a search cannot be used, and the error that a client gets for it.

import { formatMessage } from '../messages.ts'
import type { Fault } from './finding.ts'

/** Why an area cannot be used. */
export interface AreaFault {
  /** Steps from the field `area`, joined by dots: `coordinates.0.3`; empty for the area itself. */
  readonly path: string
  /** The position that is wrong, if it is one: two or three finite numbers. JSON has no others. */
  readonly position?: readonly number[]
  /** The fault, as the end of a sentence. */
  readonly fault: string
  /** What to do, without the period at the end. */
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

/** The client's name of a place in a field of areas. */
export type NamePlace = (path: string) => string

/** Places in a field of a body: its name, and the path from it. */
export function namePlacesIn(name: string): NamePlace {
  return (path) => (path === '' ? name : `${name}.${path}`)
}

/** The error that a client gets for an area that cannot be used. */
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

/** Steps from the field. */
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
