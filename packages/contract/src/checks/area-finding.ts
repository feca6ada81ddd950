// Areas that already the schemas refuse: a text where a number must be, a radius out of its bounds, two corners. The client gets
// what it gets for any other refused area: `details` with the path, the position where there is one, and a hint.

import { readAreas } from './area.ts'
import { type AreaFault, areaRefusal, namePlacesIn } from './area-fault.ts'
import { describeFinding, type Fault, type Finding } from './finding.ts'
import { placeInPolygon } from './listings-place.ts'
import { findSwappedBox } from './swapped.ts'

/** Paths of area fields in bodies. The areas of GET /v1/listings are query parameters. */
const AREA_BODY_PATH = /^\/filters\/(area|bbox)(?:\/|$)/
const AREA_QUERY_PARAMETERS = /^\/(polygon|near|radius_m|place|bbox)$/

/**
 * The error for a finding about an area.
 *
 * @param given what was judged: the body, or the query before its texts became numbers
 * @returns undefined where the finding is about something else
 */
export function findAreaFault(finding: Finding, part: string, given: unknown): Fault | undefined {
  const name = (
    part === 'body' ? AREA_BODY_PATH : part === 'query' ? AREA_QUERY_PARAMETERS : undefined
  )?.exec(finding.instancePath)?.[1]
  if (name === undefined) return undefined
  const fault = describeFinding(finding, part)
  // For example, a query parameter that was sent twice.
  if (fault.code !== 'invalid_filters') return undefined
  const holder = (part === 'body' ? (given as { filters?: unknown }).filters : given) as JsonFields
  const found = part === 'body' ? judgeField(name, holder[name]) : judgeParameter(name, holder[name])
  return found ?? withHint(fault, finding)
}

type JsonFields = Readonly<Record<string, unknown>>

function judgeField(name: string, value: unknown): Fault | undefined {
  const placeOf = namePlacesIn(`filters.${name}`)
  if (name === 'bbox')
    return typeof value === 'object' && value !== null
      ? findSwappedBox(value as JsonFields, placeOf)
      : undefined
  const read = readAreas(value, placeOf)
  return 'fault' in read ? read.fault : undefined
}

const POSITION = 'Write a position as longitude,latitude in decimal degrees'
const DECIMAL = /^ *-?[0-9]+(\.[0-9]+)? *$/

function judgeParameter(name: string, value: unknown): Fault | undefined {
  if (name === 'radius_m') {
    const read = readAreas({ type: 'circle', center: [0, 0], radius_m: Number(value) }, () => name)
    return 'fault' in read ? read.fault : undefined
  }
  if (typeof value !== 'string') return undefined
  const fault =
    name === 'near' ? findNearFault(value) : name === 'polygon' ? findPolygonFault(value) : undefined
  return fault && areaRefusal(fault, name === 'near' ? () => name : placeInPolygon)
}

function findNearFault(text: string): AreaFault | undefined {
  return isPosition(text) ? undefined : { path: '', fault: 'is no position', hint: POSITION }
}

function findPolygonFault(text: string): AreaFault | undefined {
  const corners = text.split(';')
  const wrong = corners.findIndex((corner) => !isPosition(corner))
  if (wrong >= 0) return { path: `coordinates.0.${wrong}`, fault: 'is no position', hint: POSITION }
  if (corners.length >= 3) return undefined
  const hint = 'Send at least three corners, separated by semicolons'
  return { path: '', fault: `has fewer than three corners`, hint }
}

function isPosition(text: string): boolean {
  const numbers = text.split(',')
  return numbers.length === 2 && numbers.every((number) => DECIMAL.test(number))
}

/** For what only the schema says: the place of a box, a field of a type that the area does not have. */
function withHint(fault: Fault, { parentSchema }: Finding): Fault {
  const path = fault.details.parameter
  const form = parentSchema?.['x-form']
  const hint = typeof form === 'string' ? `Send ${form}.` : 'Correct the value, or leave the field out.'
  return { ...fault, details: { ...fault.details, path, hint } }
}
