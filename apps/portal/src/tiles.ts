// The tiles of a PMTiles file, for the map of Explore. The file is read tile by tile, never as a whole.
// Why: decisions/interfaces/map-tiles.md

import { open } from 'node:fs/promises'
import { PMTiles, type RangeResponse, type Source, TileType } from 'pmtiles'
import type { MapTiles } from './answer.ts'

/** Maximum bytes of one part of the file. Directories and tiles are far smaller. */
const MAX_PART_BYTES = 64 * 1024 * 1024

const CONTENT_TYPE_BY_TILE_TYPE: ReadonlyMap<TileType, string> = new Map([
  [TileType.Mvt, 'application/vnd.mapbox-vector-tile'],
  [TileType.Png, 'image/png'],
  [TileType.Jpeg, 'image/jpeg'],
  [TileType.Webp, 'image/webp'],
  [TileType.Avif, 'image/avif'],
])

export interface TileFile {
  /** The tile settings of the map, without the attribution. */
  readonly tiles: Omit<MapTiles, 'attribution'>
  /** The media type of each tile. */
  readonly type: string
  /** undefined: the file has no such tile. */
  read(z: number, x: number, y: number): Promise<Buffer | undefined>
  close(): Promise<void>
}

/** @param url template of the tiles' URL @throws {Error} if the file cannot be read, or has tiles that the map cannot show */
export async function openTileFile(path: string, url: string): Promise<TileFile> {
  const file = await open(path).catch((error: Error) => {
    throw new Error(`MAP_TILES cannot be read: ${error.message}`)
  })
  const source: Source = {
    getKey: () => path,
    async getBytes(offset, length): Promise<RangeResponse> {
      if (length > MAX_PART_BYTES)
        throw new Error(`a section of the file is longer than the maximum of ${MAX_PART_BYTES} bytes`)
      const bytes = new Uint8Array(length)
      const { bytesRead } = await file.read(bytes, 0, length, offset)
      return { data: bytes.buffer.slice(0, bytesRead) }
    },
  }
  try {
    const archive = new PMTiles(source)
    const { tileType, minZoom, maxZoom } = await archive.getHeader()
    const type = CONTENT_TYPE_BY_TILE_TYPE.get(tileType)
    if (type === undefined) throw new Error('its tiles must be MVT, PNG, JPEG, WebP, or AVIF')
    return {
      tiles: {
        url,
        minZoom,
        maxZoom,
        layers: tileType === TileType.Mvt ? await readLayerNames(archive) : undefined,
      },
      type,
      async read(z, x, y) {
        const tile = await archive.getZxy(z, x, y)
        return tile && Buffer.from(tile.data)
      },
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw new Error(`MAP_TILES must be a PMTiles file that the map can show: ${(error as Error).message}`)
  }
}

/** The names of the vector layers. */
async function readLayerNames(archive: PMTiles): Promise<string[]> {
  const metadata = (await archive.getMetadata()) as { readonly vector_layers?: readonly { id: unknown }[] }
  return (metadata.vector_layers ?? []).map(({ id }) => String(id))
}
