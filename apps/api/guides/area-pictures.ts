// `node apps/api/guides/area-pictures.ts` draws a picture of each kind of area for the guide on areas: the sample's homes for sale
// around the area, and which of them a search of it returns. With --check it writes nothing, and fails when a picture is not up
// to date.

import { readFileSync, writeFileSync } from 'node:fs'
import type { Area, Position } from '@lotline/contract/checks'
import { readSample } from '@lotline/sample'
import { builtInPlaces } from '../src/data/places/built-in.ts'
import type { BoundingBox } from '../src/domain/search/area-search.ts'
import { boundaryRegion, distanceM, type Region, toRegion } from '../src/domain/search/region.ts'

/** Queen Anne and its surroundings, Seattle. */
const HILL: BoundingBox = { west: -122.39, south: 47.615, east: -122.325, north: 47.66 }
const WIDTH = 480
const MARGIN = 12
const LEGEND = 34

interface Picture {
  readonly file: string
  /** For readers who do not see it. */
  readonly title: string
  readonly view: BoundingBox
  readonly region: Region
  /** The edges of the area. */
  readonly rings: readonly (readonly Position[])[]
}

const CIRCLE = { type: 'circle', center: [-122.357, 47.637], radius_m: 804.672 } as const
const BOX = { type: 'bbox', west: -122.372, south: 47.626, east: -122.342, north: 47.65 } as const
const POLYGON = {
  type: 'Polygon',
  coordinates: [
    closed([-122.38, 47.625], [-122.336, 47.622], [-122.332, 47.645], [-122.35, 47.655], [-122.378, 47.65]),
    closed([-122.366, 47.632], [-122.35, 47.632], [-122.35, 47.642], [-122.366, 47.642]),
  ],
} as const
const MULTI = {
  type: 'MultiPolygon',
  coordinates: [
    [closed([-122.385, 47.62], [-122.362, 47.622], [-122.37, 47.652])],
    [closed([-122.352, 47.645], [-122.33, 47.64], [-122.335, 47.62], [-122.35, 47.627])],
  ],
} as const
/** Oklahoma County. The sample has homes in it and in the county south of it. */
const COUNTY = '40109'

function closed(...corners: readonly Position[]): Position[] {
  return [...corners, corners[0]!]
}

function pictures(): Picture[] {
  const ofArea = (file: string, title: string, area: Area, rings: Picture['rings']): Picture => ({
    file,
    title,
    view: HILL,
    region: toRegion(area),
    rings,
  })
  const county = builtInPlaces().polygonsOf({ kind: 'county', id: COUNTY })
  return [
    ofArea('area-polygon.svg', 'A polygon with a hole', POLYGON, POLYGON.coordinates),
    ofArea('area-multipolygon.svg', 'Two polygons in a MultiPolygon', MULTI, MULTI.coordinates.flat()),
    ofArea('area-circle.svg', 'A circle with a radius of half a mile', CIRCLE, [circleRing(CIRCLE)]),
    ofArea('area-bbox.svg', 'A box', BOX, [boxRing(BOX)]),
    {
      file: 'area-place.svg',
      title: 'A place: Oklahoma County',
      view: { west: -97.8, south: 35.1, east: -97.05, north: 35.8 },
      region: boundaryRegion(county),
      rings: county.flat(),
    },
  ]
}

/** The positions at the radius, every two degrees of direction; the picture is too small to show the difference. */
function circleRing({ center: [longitude, latitude], radius_m }: typeof CIRCLE): Position[] {
  const height = radius_m / distanceM([longitude, latitude], [longitude, latitude + 1])
  const width = radius_m / distanceM([longitude, latitude], [longitude + 1, latitude])
  return Array.from({ length: 181 }, (_, at) => {
    const angle = (at / 90) * Math.PI
    return [longitude + width * Math.cos(angle), latitude + height * Math.sin(angle)]
  })
}

function boxRing({ west, south, east, north }: typeof BOX): Position[] {
  return closed([west, south], [east, south], [east, north], [west, north])
}

async function readHomes(): Promise<Position[]> {
  const homes: Position[] = []
  for await (const record of readSample()) {
    const { longitude, latitude, homeStatus, isBuilding } = record as {
      longitude?: unknown
      latitude?: unknown
      homeStatus?: unknown
      isBuilding?: unknown
    }
    if (typeof longitude !== 'number' || typeof latitude !== 'number') continue
    if (homeStatus === 'FOR_SALE' && isBuilding !== true) homes.push([longitude, latitude])
  }
  return homes
}

/** Colors are attributes: pages forbid styles inside of pictures. */
function draw({ title, view, region, rings }: Picture, homes: readonly Position[]): string {
  const { west, south, east, north } = view
  // As on a map: a degree of longitude is shorter than one of latitude.
  const shrink = Math.cos((((south + north) / 2) * Math.PI) / 180)
  const scale = (WIDTH - 2 * MARGIN) / ((east - west) * shrink)
  const bottom = 2 * MARGIN + (north - south) * scale
  const height = Math.round(bottom + LEGEND)
  const point = ([longitude, latitude]: Position) =>
    `${(MARGIN + (longitude - west) * shrink * scale).toFixed(1)} ${(MARGIN + (north - latitude) * scale).toFixed(1)}`
  const path = rings.map((ring) => `M${ring.map(point).join('L')}Z`).join('')
  const shown = homes.filter(([x, y]) => x >= west && x <= east && y >= south && y <= north)
  const dot = (home: Position, fill: string) => {
    const [x, y] = point(home).split(' ')
    return `<circle cx="${x}" cy="${y}" r="3.2" fill="${fill}"/>`
  }
  const [inside, outside] = [
    shown.filter(([x, y]) => region.contains(x, y)),
    shown.filter(([x, y]) => !region.contains(x, y)),
  ]
  const legend = (x: number, fill: string, text: string) =>
    `<circle cx="${x}" cy="${height - 16}" r="4" fill="${fill}"/><text x="${x + 10}" y="${height - 12}" font-family="system-ui, sans-serif" font-size="12" fill="#1f2328">${text}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${title}: ${inside.length} of the ${shown.length} homes are in the area.</title>`,
    `<rect width="${WIDTH}" height="${height}" rx="6" fill="#ffffff" stroke="#d8dee4"/>`,
    `<path d="${path}" fill="#1f6feb" fill-opacity="0.12" fill-rule="evenodd" stroke="#1f6feb" stroke-width="1.5"/>`,
    ...outside.map((home) => dot(home, '#8c959f')),
    ...inside.map((home) => dot(home, '#1a7f37')),
    legend(MARGIN + 8, '#1a7f37', `returned: ${inside.length}`),
    legend(MARGIN + 128, '#8c959f', `not in the area: ${outside.length}`),
    '</svg>',
    '',
  ].join('\n')
}

/** The pictures by file name. */
export async function drawPictures(): Promise<ReadonlyMap<string, string>> {
  const homes = await readHomes()
  return new Map(pictures().map((picture) => [picture.file, draw(picture, homes)]))
}

const fileOf = (name: string) => new URL(`pictures/${name}`, import.meta.url)

/** The names of the pictures that are not up to date. */
export async function findOutdated(): Promise<string[]> {
  const drawn = await drawPictures()
  return [...drawn].flatMap(([name, svg]) => (readIfThere(fileOf(name)) === svg ? [] : [name]))
}

function readIfThere(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

if (import.meta.main) {
  if (process.argv.includes('--check')) {
    const outdated = await findOutdated()
    if (outdated.length > 0) {
      console.error(
        `The pictures ${outdated.join(', ')} are not up to date: node apps/api/guides/area-pictures.ts`,
      )
      process.exitCode = 1
    }
  } else {
    for (const [name, svg] of await drawPictures()) writeFileSync(fileOf(name), svg)
  }
}
