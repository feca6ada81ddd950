// Settings of the background tiles of the portal's map.

import { resolve } from 'node:path'
import { type SettingKind, setting } from './setting-kinds.ts'

export interface MapTilesConfig {
  /** A template of URLs, or the absolute path of a PMTiles file. */
  readonly from: { readonly url: string } | { readonly file: string }
  readonly attribution: string | undefined
}

/** Between the tiles and their attribution. */
const SEPARATOR = ' | '

/**
 * A URL with `{z}`, `{x}`, and `{y}` once each in its path or query (in the host they would name many sites), or the path of a
 * file; optionally followed by ` | ` and the attribution.
 */
const mapTiles: SettingKind<MapTilesConfig> = {
  allowed:
    'an http or https URL with {z}, {x} and {y} once each in its path or query, or the path of a PMTiles file; then optionally " | " and the attribution',
  read(value) {
    const [place = '', ...rest] = value.split(SEPARATOR)
    const attribution = rest.join(SEPARATOR).trim() || undefined
    const from = readPlace(place.trim())
    return from && { from, attribution }
  },
}

function readPlace(place: string): MapTilesConfig['from'] | undefined {
  if (place === '') return undefined
  if (!/[{}]|:\/\//.test(place)) return { file: resolve(place) }
  const names = (place.match(/\{[^}]*\}?/g) ?? []).toSorted().join('')
  const isGood =
    names === '{x}{y}{z}' &&
    !/[\s\\@#"'<>;,]/.test(place) &&
    /^https?:\/\/[^/?{]+[/?]/i.test(place) &&
    URL.canParse(place.replaceAll(/[{}]/g, ''))
  return isGood ? { url: place } : undefined
}

export const MAP_TILES_SETTINGS = {
  MAP_TILES: setting(
    mapTiles,
    undefined,
    'Tiles to show below the outlines on the map of the portal, and the text below the map that names their source, such as `https://tiles.example.com/{z}/{x}/{y}.png | © OpenStreetMap contributors`. With a URL, the tiles are raster tiles (PNG, JPEG, WebP): browsers of customers load them from there, the content security policy of the page with the map allows exactly that origin, and that server must allow other origins (CORS). With the path of a PMTiles file (raster or vector tiles; relative to the working directory), the service serves the tiles, and browsers load nothing from other hosts. Without it, the map has outlines only.',
  ),
} as const
