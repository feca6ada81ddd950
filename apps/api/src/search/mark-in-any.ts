// Which of many positions are in any of many regions. The positions are put in a tree once, each half of a node in a box of its
// own. Each region then looks only at the nodes that its edges run through.

import type { BoundingBox } from './area-search.ts'
import type { RegionPart } from './morton.ts'

interface MarkedRegion extends RegionPart {
  contains(longitude: number, latitude: number): boolean
}

/** Positions `order[begin]` up to `order[end]`, and the box around them. */
interface Node {
  readonly begin: number
  readonly end: number
  readonly box: BoundingBox
  readonly parent: Node | undefined
  /** Positions that are in none of the regions so far. */
  left: number
  halves?: readonly [Node, Node]
}

/** Positions of a node that is not halved any more. */
const LEAF = 16
/** Positions that are looked at between two pauses: some tenths of a millisecond. */
const STEP = 512

/** Writes 1 at the index of each position that is in, and leaves others as they are. Yields where it can be paused. */
export function* markInAny(
  regions: readonly MarkedRegion[],
  longitudes: Float64Array,
  latitudes: Float64Array,
  isIn: Uint8Array,
): Generator<void, void> {
  const order = new Uint32Array(isIn.length)
  let count = 0
  for (let at = 0; at < isIn.length; at++) if (isIn[at] === 0) order[count++] = at
  if (count === 0) return
  const root = yield* treeOf(order.subarray(0, count), longitudes, latitudes)
  let looks = 0

  const take = (node: Node, from: number, to: number): void => {
    let taken = 0
    for (let index = from; index < to; index++) {
      const at = order[index]!
      if (isIn[at] === 1) continue
      isIn[at] = 1
      taken++
    }
    for (let above: Node | undefined = node; above; above = above.parent) above.left -= taken
  }

  for (const region of regions) {
    const part = region.partIn(root.box)
    const pending: [Node, RegionPart][] = part ? [[root, part]] : []
    for (;;) {
      const [node, inNode] = pending.pop() ?? []
      if (!node || !inNode) break
      // A look at a node goes through all edges of the region near it.
      yield
      if (node.left === 0) continue
      const { begin, end, halves, box } = node
      if (inNode.share === 1) take(node, begin, end)
      else if (halves) {
        for (const half of halves) {
          const inHalf = half.left === 0 ? undefined : inNode.partIn(half.box)
          if (inHalf) pending.push([half, inHalf])
        }
      } else if (isSpot(box)) {
        // Homes of one tower: one comparison is for all of them.
        if (region.contains(box.west, box.south)) take(node, begin, end)
      } else {
        const decider = inNode.contains ? (inNode as MarkedRegion) : region
        for (let index = begin; index < end; index++) {
          const at = order[index]!
          if (isIn[at] === 1) continue
          if (++looks % STEP === 0) yield
          if (decider.contains(longitudes[at]!, latitudes[at]!)) take(node, index, index + 1)
        }
      }
    }
  }
}

function isSpot({ west, south, east, north }: BoundingBox): boolean {
  return west === east && south === north
}

/** The tree of the positions, whose `order` it changes. */
function* treeOf(
  order: Uint32Array,
  longitudes: Float64Array,
  latitudes: Float64Array,
): Generator<void, Node> {
  const nodeOf = (begin: number, end: number, parent?: Node): Node => {
    let [west, south, east, north] = [180, 90, -180, -90]
    for (let index = begin; index < end; index++) {
      const [longitude, latitude] = [longitudes[order[index]!]!, latitudes[order[index]!]!]
      if (longitude < west) west = longitude
      if (longitude > east) east = longitude
      if (latitude < south) south = latitude
      if (latitude > north) north = latitude
    }
    return { begin, end, box: { west, south, east, north }, parent, left: end - begin }
  }
  const root = nodeOf(0, order.length)
  const pending = [root]
  let steps = 0
  for (let node = pending.pop(); node; node = pending.pop()) {
    const { begin, end, box } = node
    if (end - begin <= LEAF || isSpot(box)) continue
    steps += end - begin
    if (steps > STEP) {
      yield
      steps = 0
    }
    const isWide = box.east - box.west >= box.north - box.south
    const values = isWide ? longitudes : latitudes
    const [least, most] = isWide ? [box.west, box.east] : [box.south, box.north]
    // Between two neighboring numbers there is no middle.
    const middle = (least + most) / 2 < most ? (least + most) / 2 : least
    let [low, high] = [begin, end]
    while (low < high) {
      if (values[order[low]!]! <= middle) low++
      else {
        high--
        const moved = order[low]!
        order[low] = order[high]!
        order[high] = moved
      }
    }
    node.halves = [nodeOf(begin, low, node), nodeOf(low, end, node)]
    pending.push(...node.halves)
  }
  return root
}
