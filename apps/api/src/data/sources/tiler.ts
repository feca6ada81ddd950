// Searches a whole area although one search returns a limited number of rows. A tile with more rows than were returned is split in four,
// recursively. Rows that were found before are skipped when they are stored. The state of the search is a plain value, small enough to
// store it with each page, so a search resumes at the last page. Depth is limited, since homes may be at one position, and so is the number
// of tiles. A tile that may not be split any more is searched once with the source's maximum; the rows beyond that are counted as capped.

import type { Property } from '@lotline/contract'
import {
  type AreaSearch,
  type BoundingBox,
  findsUnplaced,
  searchRegion,
  splitAtAntimeridian,
} from '../../domain/search.ts'
import type { AreaListings } from './provider.ts'

export interface Tile {
  /** The index of the search. */
  readonly search: number
  readonly box: BoundingBox
  /** How often the box of the search was split. */
  readonly depth: number
  /** Searches the homes without a position, after the search was split. This tile is not split further. */
  readonly isUnplaced?: true
}

/** The progress of the searches. */
export interface Survey {
  /** Tiles that are still to be searched. The last one comes first. */
  readonly pending: readonly Tile[]
  readonly tiles: number
  readonly cappedTiles: number
  /** The total of all searches that have begun. */
  readonly total: number
}

export interface SurveyLimits {
  /** Rows of one search. */
  readonly page: number
  /** The source's maximum of rows, for tiles that cannot be split. */
  readonly most: number
  /** At this number of tiles no tile is split any more. */
  readonly mostTiles: number
}

export interface SurveyedPage {
  /** The state after the records are stored. */
  readonly survey: Survey
  /** The newest first. Some may have been found before. */
  readonly records: readonly Property[]
}

export const MAX_TILES = 50_000
const MAX_DEPTH = 30
const MIN_ASKED = 100
/** About a meter: homes that are closer together count as one position. */
const MIN_DEGREES = 1e-5

export function beginSurvey(searches: readonly AreaSearch[]): Survey {
  const tiles = searches.flatMap((each, search) =>
    splitAtAntimeridian(each.bbox)
      .filter((box) => searchRegion(each).partIn(box))
      .map((box) => ({ search, box, depth: 0 })),
  )
  return { pending: tiles.reverse(), tiles: 0, cappedTiles: 0, total: 0 }
}

/** Searches the next tile. `wanted` is the number of rows that can still be used. A tile that returns as many is not split for now. */
export async function surveyNext(
  searches: readonly AreaSearch[],
  survey: Survey,
  limits: SurveyLimits,
  wanted: number,
  ask: (search: AreaSearch, limit: number) => Promise<AreaListings>,
): Promise<SurveyedPage> {
  const tile = survey.pending.at(-1)
  if (!tile) throw new Error('No tile is left to search')
  const search = {
    ...searches[tile.search]!,
    bbox: tile.box,
    ...(tile.isUnplaced && { unplacedOnly: true as const }),
  }
  const rest = survey.pending.slice(0, -1)
  const tiles = survey.tiles + 1
  // When few rows are still wanted, most of the rows may have been found before.
  const limit = Math.min(limits.page, survey.tiles === 0 ? wanted : Math.max(wanted, MIN_ASKED))
  let found = await ask(search, limit)
  const total = survey.total + (tile.depth === 0 ? (found.total ?? found.records.length) : 0)

  const isWhole = ({ total, records }: AreaListings) => total !== undefined && total <= records.length
  if (isWhole(found)) return { survey: { ...survey, pending: rest, tiles, total }, records: found.records }

  const maySplit =
    tile.depth < MAX_DEPTH && tiles + rest.length < limits.mostTiles && !isSpot(tile.box) && !tile.isUnplaced
  if (maySplit) {
    return {
      survey: { ...survey, pending: [...rest, ...partsOf(tile, search)], tiles, total },
      records: found.records,
    }
  }
  if (limit < limits.most) found = await ask(search, limits.most)
  const cappedTiles = survey.cappedTiles + (isWhole(found) ? 0 : 1)
  return { survey: { pending: rest, tiles, cappedTiles, total }, records: found.records }
}

/** Drops the tiles outside the areas of their search. */
function inArea(tiles: readonly Tile[], search: AreaSearch): Tile[] {
  const region = searchRegion(search)
  return tiles.filter(({ box }) => region.partIn(box))
}

function partsOf(tile: Tile, search: AreaSearch): Tile[] {
  const unplaced = { ...tile, depth: tile.depth + 1, isUnplaced: true as const }
  return [...(findsUnplaced(search) ? [unplaced] : []), ...inArea(split(tile), search)]
}

/** Edges belong to both sides, so no home is between two tiles. A home on an edge is found twice. */
function split({ search, box, depth }: Tile): Tile[] {
  const rows = halve(box.south, box.north)
  const columns = halve(box.west, box.east)
  return rows.flatMap(([south, north]) =>
    columns.map(([west, east]) => ({ search, box: { west, south, east, north }, depth: depth + 1 })),
  )
}

/** A side that is as short as a position stays whole: half of it would be the same again. */
function halve(least: number, most: number): [number, number][] {
  if (most - least <= MIN_DEGREES) return [[least, most]]
  const middle = (least + most) / 2
  return [
    [least, middle],
    [middle, most],
  ]
}

function isSpot({ west, south, east, north }: BoundingBox): boolean {
  return east - west <= MIN_DEGREES && north - south <= MIN_DEGREES
}
