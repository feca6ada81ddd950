import { namePlacesIn, readAreas } from '@lotline/contract/checks'
import { describe, expect, it } from 'vitest'
import { area, type Position } from '../src/area.ts'

const corners: Position[] = [
  [0, 0],
  [4, 0],
  [4, 4],
]
const hole: Position[] = [
  [2, 1],
  [3, 1],
  [3, 2],
]

describe('area helpers of the SDK', () => {
  it('return areas that the service accepts', () => {
    const made = [
      area.polygon(corners, hole),
      area.multiPolygon([corners, hole], [corners]),
      area.circle([-122.3, 47.6], 500),
      area.bbox({ west: 179, south: 50, east: -179, north: 51 }),
      area.place('county', { name: 'King County, WA' }),
      area.place('zip', { id: '98109' }),
    ]
    expect(readAreas(made, namePlacesIn('area'))).toEqual({ areas: made })
  })

  it('name a place by its id', () => {
    expect(area.place('zip', '98109')).toEqual({ type: 'place', kind: 'zip', id: '98109' })
  })

  it('close open rings and keep closed rings unchanged', () => {
    const closed = { type: 'Polygon', coordinates: [[...corners, [0, 0]]] }
    expect(area.polygon(corners)).toEqual(closed)
    expect(area.polygon([...corners, [0, 0]])).toEqual(closed)
  })
})
