// What lies below the outlines on the map of the portal, from the settings.

import { resolve } from 'node:path'
import { type Kind, setting, text } from './setting-kinds.ts'

export interface MapTilesConfig {
  /** A template of URLs, or the absolute path of a PMTiles file. */
  readonly from: { readonly url: string } | { readonly file: string }
  readonly attribution: string | undefined
}

/** A URL with `{z}`, `{x}` and `{y}` once each, in its path or query: in the host they would make many sites of one. */
const tileTemplate: Kind<string> = {
  allowed:
    'an http or https URL with {z}, {x} and {y} once each in its path or query, such as https://tiles.example.com/{z}/{x}/{y}.png',
  read(value) {
    const names = (value.match(/\{[^}]*\}?/g) ?? []).toSorted().join('')
    const isGood =
      names === '{x}{y}{z}' &&
      !/[\s\\@#"'<>;,]/.test(value) &&
      /^https?:\/\/[^/?{]+[/?]/i.test(value) &&
      URL.canParse(value.replaceAll(/[{}]/g, ''))
    return isGood ? value : undefined
  },
}

export const MAP_TILES_SETTINGS = {
  MAP_TILES_URL: setting(
    tileTemplate,
    undefined,
    'Raster tiles (PNG, JPEG, WebP) to show below the outlines on the map of the portal, as a URL with {z}, {x} and {y}. Browsers of customers load them from there, and the content security policy of the page with the map allows exactly that origin. The server of the tiles must allow other origins (CORS). Without it and MAP_TILES_FILE, the map has outlines only and loads nothing from other hosts.',
  ),
  MAP_TILES_FILE: setting(
    text('a path'),
    undefined,
    'A PMTiles file with raster or vector tiles for the same purpose; relative to the working directory. The service serves its tiles, so browsers load nothing from other hosts.',
  ),
  MAP_TILES_ATTRIBUTION: setting(
    text('a text'),
    undefined,
    'Text below the map that names the source of its tiles, such as © OpenStreetMap contributors.',
  ),
} as const

interface MapTilesValues {
  readonly MAP_TILES_URL: string | undefined
  readonly MAP_TILES_FILE: string | undefined
  readonly MAP_TILES_ATTRIBUTION: string | undefined
}

/** undefined: the map has outlines only. */
export function readMapTiles(values: MapTilesValues, problems: string[]): MapTilesConfig | undefined {
  const { MAP_TILES_URL: url, MAP_TILES_FILE: file, MAP_TILES_ATTRIBUTION: attribution } = values
  if (url !== undefined && file !== undefined) {
    problems.push('MAP_TILES_URL and MAP_TILES_FILE are both set. Set the one that the map is to show.')
  }
  if (url !== undefined) return { from: { url }, attribution }
  return file === undefined ? undefined : { from: { file: resolve(file) }, attribution }
}
