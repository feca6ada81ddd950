// Small files of tiles for tests: a PMTiles archive (version 3) that has one tile for the whole world.

/** One red pixel. */
export const RED_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
)

/** A vector tile whose layer `water` covers it. */
export const WATER_TILE = tileOf('water')

/** Uncompressed, with the root directory only. */
export function archiveOf(tile: Buffer, type: 'mvt' | 'png'): Buffer {
  // One entry: tile 0, a run of one, its length, and its offset plus one.
  const root = Buffer.from([1, 0, 1, ...varint(tile.length), 1])
  const metadata = Buffer.from(JSON.stringify({ vector_layers: [{ id: 'water', fields: {} }] }))
  const header = Buffer.alloc(127)
  header.write('PMTiles')
  header[7] = 3
  const lengths = [root.length, metadata.length, 0, tile.length]
  let offset = header.length
  for (const [at, length] of lengths.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + at * 16)
    header.writeBigUInt64LE(BigInt(length), 16 + at * 16)
    offset += length
  }
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(1n, at)
  // Clustered; directories and tiles are not compressed; zoom 0 only.
  for (const [at, value] of [1, 1, 1, type === 'mvt' ? 1 : 2, 0, 0].entries()) header[96 + at] = value
  for (const [at, degrees] of [-180, -85, 180, 85].entries())
    header.writeInt32LE(degrees * 10_000_000, 102 + at * 4)
  return Buffer.concat([header, root, metadata, tile])
}

/** One polygon in a layer: a square around the tile. */
function tileOf(name: string): Buffer {
  const zigzag = (value: number) => (value << 1) ^ (value >> 31)
  const moveTo = [9, zigzag(0), zigzag(0)]
  const lineTo = [26, zigzag(4096), zigzag(0), zigzag(0), zigzag(4096), zigzag(-4096), zigzag(0)]
  const geometry = Buffer.from([...moveTo, ...lineTo, 15].flatMap((value) => varint(value)))
  const feature = Buffer.concat([Buffer.from([0x18, 3]), part(4, geometry)])
  const layer = Buffer.concat([
    part(1, Buffer.from(name)),
    part(2, feature),
    Buffer.from([0x28, ...varint(4096)]),
    Buffer.from([0x78, 2]),
  ])
  return part(3, layer)
}

/** A field of a protocol buffer that has a length. */
function part(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(bytes.length)]), bytes])
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
  return [...bytes, rest]
}
