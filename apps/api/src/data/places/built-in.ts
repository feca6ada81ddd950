// States and counties, which every installation knows. They come from us-atlas (ISC), which has the cartographic boundary files of the U.S.
// Census Bureau (public domain), simplified to a scale of 1:10,000,000: good enough for a map, and up to hundreds of meters off.
// Simplification made some boundaries touch or cross themselves, so boundaries of places are not checked when they are searched; a position
// is inside by the even-odd rule (search/polygon-region.ts).
// Why: decisions/data/built-in-boundaries.md

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Ring } from '@lotline/contract/checks'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import type { BoundingBox } from '../../domain/search.ts'
import { boxesAround, type PolygonRings, widened } from './boundary.ts'
import { nameKey, type PlaceEntry, stateCode } from './place.ts'

/** The version is that of package.json. */
const SOURCE = 'us-atlas 3.0.1 (U.S. Census Bureau, simplified to 1:10,000,000)'
/** The year of the Census Bureau's files in this version. */
const VINTAGE = '2017'

type Atlas = Topology<Record<'states' | 'counties', GeometryCollection<{ name: string }>>>

export interface BuiltIn {
  byId(kind: string, id: string): PlaceEntry | undefined
  /** The places of a kind by name, as `nameKey` returns it. The two letters of a state are also its name. */
  byName(kind: string, key: string): readonly PlaceEntry[]
  /** The polygons of a place from `byId`. */
  polygonsOf(entry: Pick<PlaceEntry, 'kind' | 'id'>): PolygonRings
  readonly counties: readonly PlaceEntry[]
}

let known: BuiltIn | undefined

/** Read on first use. */
export function builtInPlaces(): BuiltIn {
  known ??= read()
  return known
}

function read(): BuiltIn {
  const path = createRequire(import.meta.url).resolve('us-atlas/counties-10m.json')
  const atlas = JSON.parse(readFileSync(path, 'utf8')) as Atlas
  const { states, counties } = atlas.objects
  type AtlasGeometry = (typeof states.geometries)[number]
  const geometries = new Map<string, AtlasGeometry>()
  for (const one of states.geometries) geometries.set(`state:${one.id}`, one)
  for (const one of counties.geometries) geometries.set(`county:${one.id}`, one)
  const nameOf = ({ id, properties }: AtlasGeometry): string => {
    if (properties && 'name' in properties) return properties.name
    throw new Error(`us-atlas has no name of ${id}.`)
  }
  const codeOf = new Map(states.geometries.map((one) => [String(one.id), stateCode(nameOf(one))]))
  const entryOf = (kind: 'state' | 'county', geometry: AtlasGeometry): PlaceEntry => ({
    kind,
    id: String(geometry.id),
    name: nameOf(geometry),
    source: SOURCE,
    vintage: VINTAGE,
    county: kind === 'county' ? nameOf(geometry) : null,
    state: codeOf.get(String(geometry.id).slice(0, 2)) ?? null,
  })
  const ofCounties = counties.geometries.map((one) => entryOf('county', one))
  const entries = [...states.geometries.map((one) => entryOf('state', one)), ...ofCounties]
  const byId = new Map(entries.map((entry) => [`${entry.kind}:${entry.id}`, entry]))
  const byName = Map.groupBy(entries, ({ kind, name }) => `${kind}:${nameKey(name)}`)
  for (const entry of entries) {
    if (entry.kind === 'state' && entry.state) byName.set(`state:${entry.state.toLowerCase()}`, [entry])
  }
  return {
    byId: (kind, id) => byId.get(`${kind}:${id}`),
    byName: (kind, key) => byName.get(`${kind}:${key}`) ?? [],
    counties: ofCounties,
    polygonsOf({ kind, id }) {
      const found = geometries.get(`${kind}:${id}`)
      const whole = found && feature(atlas, found)
      const geometry = whole && 'geometry' in whole ? whole.geometry : undefined
      if (geometry?.type === 'MultiPolygon')
        return withoutSpots(geometry.coordinates as unknown as PolygonRings)
      if (geometry?.type === 'Polygon') return withoutSpots([geometry.coordinates] as unknown as PolygonRings)
      throw new Error(`us-atlas has no polygons of ${kind}:${id}.`)
    },
  }
}

/** A home near the line of its state may have a ZIP code of the next state. Post offices serve some tens of kilometers. */
const STATE_MARGIN_DEGREES = 0.5

const stateBoxes = new Map<string, readonly BoundingBox[]>()

/** Boxes around a state with a margin of some tens of kilometers: at most one on each side of 0°, so Alaska has two. */
export function boxesOfState(code: string): readonly BoundingBox[] {
  const known = stateBoxes.get(code)
  if (known) return known
  const [entry] = builtInPlaces().byName('state', code.toLowerCase())
  const around = entry ? boxesAround(builtInPlaces().polygonsOf(entry)) : []
  const boxes = around.map((box) => widened(box, STATE_MARGIN_DEGREES))
  stateBoxes.set(code, boxes)
  return boxes
}

/** Simplification reduced small rings to single positions, which enclose nothing. */
function withoutSpots(polygons: PolygonRings): PolygonRings {
  const isRing = ([first, ...others]: Ring) => others.some(([x, y]) => x !== first![0] || y !== first![1])
  return polygons.map((rings) => rings.filter(isRing)).filter((rings) => rings.length > 0)
}
