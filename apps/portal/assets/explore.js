// The map of Explore: outlines of states and counties, the homes of a result, and areas that are drawn with the pointer. What is drawn
// is written into the fields of the form, where it can also be typed. Everything comes from this service.

function start(MapLibre) {
  const container = document.getElementById('map')
  const homes = JSON.parse(container.dataset.homes)
  const isResult = container.closest('.result-map') !== null
  const map = new MapLibre({
    container,
    style: style(),
    center: [-98, 39],
    zoom: 3,
    maxZoom: 17,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
  })
  map.getCanvas().setAttribute('aria-label', 'Map of the United States')
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => map.setStyle(style()))
  map.on('style.load', () => {
    map.getSource('homes').setData(pointsOf(homes))
    map.getSource('area').setData(drawnArea())
  })
  const bounds = boundsOf([...homes.map(([x, y]) => [x, y]), ...cornersOf(drawnArea())])
  if (bounds) map.fitBounds(bounds, { padding: 40, maxZoom: 14, animate: false })
  container.dataset.ready = 'true'
  map.once('idle', () => {
    container.dataset.drawn = 'true'
  })

  map.on('click', 'homes', ({ features }) => {
    const row = document.getElementById(`home-${features[0].properties.zpid}`)?.closest('tr')
    if (!row) return
    for (const marked of document.querySelectorAll('tr.marked')) marked.classList.remove('marked')
    row.classList.add('marked')
    row.scrollIntoView({ block: 'center' })
  })
  if (isResult) document.querySelector('.map-tools').hidden = true
  else draw(map)
}

function draw(map) {
  const hint = document.getElementById('map-hint')
  const buttons = [...document.querySelectorAll('[data-draw]')]
  const HINTS = {
    box: 'Drag from one corner to the opposite one.',
    circle: 'Drag from the center to the edge.',
    polygon: 'Click each corner, and the first one again to end.',
  }
  let mode
  let corners = []

  function choose(next) {
    mode = next
    corners = []
    for (const button of buttons) {
      if (button.dataset.draw !== 'clear')
        button.setAttribute('aria-pressed', String(button.dataset.draw === mode))
    }
    hint.textContent = HINTS[mode] ?? ''
    map.getCanvas().style.cursor = mode ? 'crosshair' : ''
    map.dragPan[mode ? 'disable' : 'enable']()
    map.doubleClickZoom[mode ? 'disable' : 'enable']()
  }

  for (const button of buttons) {
    button.addEventListener('click', () => {
      const wanted = button.dataset.draw
      write({})
      choose(wanted === 'clear' || wanted === mode ? undefined : wanted)
    })
  }

  let from
  for (const [down, move, up] of [
    ['mousedown', 'mousemove', 'mouseup'],
    ['touchstart', 'touchmove', 'touchend'],
  ]) {
    map.on(down, ({ lngLat }) => {
      if (mode === 'box' || mode === 'circle') from = lngLat
    })
    map.on(move, ({ lngLat }) => {
      if (from) write(mode === 'box' ? boxOf(from, lngLat) : circleOf(from, lngLat))
    })
    map.on(up, () => {
      if (!from) return
      from = undefined
      choose(undefined)
    })
  }
  map.on('click', ({ lngLat, point }) => {
    if (mode !== 'polygon') return
    const first = corners[0] && map.project(corners[0])
    const isEnd = first && corners.length > 2 && Math.hypot(first.x - point.x, first.y - point.y) < 12
    if (!isEnd) corners.push([lngLat.lng, lngLat.lat])
    write({ polygon: corners.map(text).join(';') })
    if (isEnd) choose(undefined)
  })

  /** The fields of the form are the only place where the area is kept. */
  function write(area) {
    for (const name of ['bbox', 'polygon', 'near', 'radius_m'])
      document.getElementById(name).value = area[name] ?? ''
    map.getSource('area').setData(drawnArea())
  }
}

const text = (position) => position.map((value) => value.toFixed(5)).join(',')

function boxOf(a, b) {
  const [west, east] = [Math.min(a.lng, b.lng), Math.max(a.lng, b.lng)]
  const [south, north] = [Math.min(a.lat, b.lat), Math.max(a.lat, b.lat)]
  return { bbox: text([west, south, east, north]) }
}

function circleOf(center, edge) {
  const radius = Math.min(100000, Math.max(1, Math.round(center.distanceTo(edge))))
  return { near: text([center.lng, center.lat]), radius_m: String(radius) }
}

/** What the fields say, as GeoJSON. A result has no fields: its area is in the page. */
function drawnArea() {
  const given = JSON.parse(document.getElementById('map').dataset.area)
  const value = (name) => document.getElementById(name)?.value ?? given[name]
  const numbers = (list) => list.split(/[,;]/).map(Number)
  const [box, polygon, near] = ['bbox', 'polygon', 'near'].map(value)
  let ring = []
  if (box) {
    const [west, south, east, north] = numbers(box)
    ring = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
    ]
  } else if (polygon) {
    ring = polygon.split(';').map(numbers)
  } else if (near && value('radius_m')) {
    ring = circle(numbers(near), Number(value('radius_m')))
  }
  const isArea = ring.length > 1 && ring.flat().every(Number.isFinite)
  const geometry = isArea
    ? { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
    : { type: 'Polygon', coordinates: [] }
  return { type: 'Feature', properties: {}, geometry }
}

/** For the picture: the search measures along the great circle. */
function circle([longitude, latitude], radius) {
  const degrees = radius / 111195
  return Array.from({ length: 64 }, (_, at) => {
    const angle = (at / 32) * Math.PI
    const north = latitude + degrees * Math.sin(angle)
    return [longitude + (degrees * Math.cos(angle)) / Math.cos((latitude * Math.PI) / 180), north]
  })
}

const cornersOf = ({ geometry }) => geometry.coordinates[0] ?? []

function boundsOf(positions) {
  if (positions.length === 0) return undefined
  const [xs, ys] = [positions.map(([x]) => x), positions.map(([, y]) => y)]
  return [
    [Math.min(...xs), Math.min(...ys)],
    [Math.max(...xs), Math.max(...ys)],
  ]
}

function pointsOf(homes) {
  const features = homes.map(([longitude, latitude, zpid]) => ({
    type: 'Feature',
    properties: { zpid },
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
  }))
  return { type: 'FeatureCollection', features }
}

/** In the colors of the page. */
function style() {
  const colors = getComputedStyle(document.documentElement)
  const color = (name) => colors.getPropertyValue(name).trim()
  const empty = { type: 'FeatureCollection', features: [] }
  const kind = (name) => ['==', ['get', 'kind'], name]
  return {
    version: 8,
    sources: {
      outlines: { type: 'geojson', data: '/portal/assets/outlines.json' },
      area: { type: 'geojson', data: empty },
      homes: { type: 'geojson', data: empty },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': color('--raised') } },
      {
        id: 'land',
        type: 'fill',
        source: 'outlines',
        filter: kind('land'),
        paint: { 'fill-color': color('--page') },
      },
      {
        ...{ id: 'counties', type: 'line', source: 'outlines', filter: kind('county'), minzoom: 5 },
        paint: { 'line-color': color('--line'), 'line-width': 1 },
      },
      {
        ...{ id: 'states', type: 'line', source: 'outlines', filter: kind('state') },
        paint: { 'line-color': color('--edge'), 'line-width': 1 },
      },
      {
        id: 'area',
        type: 'fill',
        source: 'area',
        paint: { 'fill-color': color('--accent'), 'fill-opacity': 0.12 },
      },
      {
        id: 'area-edge',
        type: 'line',
        source: 'area',
        paint: { 'line-color': color('--accent'), 'line-width': 2 },
      },
      {
        ...{ id: 'homes', type: 'circle', source: 'homes' },
        paint: {
          'circle-color': color('--accent'),
          'circle-radius': 6,
          'circle-stroke-color': color('--page'),
          'circle-stroke-width': 1.5,
        },
      },
    ],
  }
}

// Last, so that everything above it is there.
const frame = document.getElementById('map-frame')
if (frame) {
  frame.hidden = false
  try {
    const { Map: MapLibre } = await import('/portal/assets/maplibre-gl.mjs')
    start(MapLibre)
  } catch {
    // A browser without WebGL: areas are typed, as without script.
    frame.hidden = true
  }
}
