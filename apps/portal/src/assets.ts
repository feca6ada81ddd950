// Static files of the pages, all from this service: the portal's own, MapLibre GL from its package, and the outlines of the map.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

const ASSETS_FOLDER = new URL('../assets/', import.meta.url)
const JAVASCRIPT = 'text/javascript; charset=utf-8'

export interface Asset {
  /** The path below the assets' path. */
  readonly name: string
  readonly type: string
  read(): Promise<string>
}

const ownAsset = (name: string, type: string): Asset => ({
  name,
  type,
  read: () => readFile(new URL(name, ASSETS_FOLDER), 'utf8'),
})

const packageAsset = (name: string, path: string, type: string): Asset => ({
  name,
  type,
  read: () => readFile(fileURLToPath(import.meta.resolve(path)), 'utf8'),
})

export const assets: readonly Asset[] = [
  ownAsset('portal.css', 'text/css; charset=utf-8'),
  ownAsset('portal.js', JAVASCRIPT),
  ownAsset('explore.js', JAVASCRIPT),
  ownAsset('passkey.js', JAVASCRIPT),
  ownAsset('icon.svg', 'image/svg+xml'),
  packageAsset('maplibre-gl.mjs', 'maplibre-gl/dist/maplibre-gl.mjs', JAVASCRIPT),
  // The library requests this file from its own folder.
  packageAsset('maplibre-gl-worker.mjs', 'maplibre-gl/dist/maplibre-gl-worker.mjs', JAVASCRIPT),
  { name: 'outlines.json', type: 'application/json', read: readOutlines },
]

/** The states as areas and the county borders as lines, from us-atlas, as GeoJSON. */
async function readOutlines(): Promise<string> {
  const path = fileURLToPath(import.meta.resolve('us-atlas/counties-10m.json'))
  const topology = JSON.parse(await readFile(path, 'utf8')) as Topology<{
    states: GeometryCollection
    counties: GeometryCollection
  }>
  const { states, counties } = topology.objects
  const of = (kind: string, geometry: unknown) => ({ type: 'Feature', properties: { kind }, geometry })
  return JSON.stringify({
    type: 'FeatureCollection',
    features: [
      ...feature(topology, states).features.map(({ geometry }) => of('land', geometry)),
      of(
        'county',
        mesh(topology, counties, (a, b) => a !== b),
      ),
      of('state', mesh(topology, states)),
    ],
  })
}
