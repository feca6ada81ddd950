// The map of Explore: outlines of states and counties, the homes of a result, and areas drawn with the pointer. A drawn area is written
// into the form's fields, which can also be edited. Everything is loaded from this service, unless the operator has configured tiles of
// another one.

function start(MapLibre) {
  const container = document.getElementById('map')
  const homes = JSON.parse(container.dataset.homes)
  // The map of a result and the console's map have no drawing tools.
  const hasForm = document.getElementById('filters') !== null
  const map = new MapLibre({
    container,
    style: style(),
    center: [-98, 39],
    zoom: 3,
    maxZoom: 17,
    renderWorldCopies: false,
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
  // A result shows its homes, which may be in a small part of the area.
  const bounds = boundsOf(homes.length > 0 ? homes.map(([x, y]) => [x, y]) : cornersOf(drawnArea()))
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
  if (hasForm) draw(map)
  else document.querySelector('.map-tools').hidden = true
}

/** Areas are drawn by dragging, by clicks or taps, or with the keyboard: Enter adds the middle of the map. */
function draw(map) {
  const hint = document.getElementById('map-hint')
  const container = document.getElementById('map')
  const canvas = map.getCanvas()
  const pad = map.getCanvasContainer()
  const buttons = [...document.querySelectorAll('[data-draw]')]
  const HINTS = {
    box: 'Drag from one corner to the opposite one, or click both.',
    circle: 'Drag from the center to the edge, or click both.',
    polygon: 'Click each corner, and the first one again to end.',
  }
  const KEYS = ' With the keyboard, move the map with the arrow keys and press Enter.'
  /** Pixels. A pointer that moves less has clicked. */
  const STILL = 6
  /** The distance in pixels at which a click closes the polygon at its first corner. */
  const END = 12
  let mode
  let corners = []
  /** The first corner of a box, or the center of a circle. */
  let anchor
  /** The position where the pointer went down; undefined: it is up. */
  let pressed

  function choose(next) {
    mode = next
    corners = []
    anchor = undefined
    pressed = undefined
    for (const button of buttons) {
      if (button.dataset.draw !== 'clear')
        button.setAttribute('aria-pressed', String(button.dataset.draw === mode))
    }
    hint.textContent = mode ? HINTS[mode] + KEYS : ''
    container.classList.toggle('drawing', mode !== undefined)
    // One pointer draws. Two pointers still zoom, and so does the keyboard.
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

  const shapeTo = (position) => (mode === 'box' ? boxOf(anchor, position) : circleOf(anchor, position))

  /** A corner, the center, or the edge. */
  function place(position) {
    if (mode === 'polygon') return addCorner(position)
    if (!anchor) {
      anchor = position
      return
    }
    const from = map.project(anchor)
    const to = map.project(position)
    // Two equal positions are not an area.
    if (Math.hypot(from.x - to.x, from.y - to.y) < STILL) return
    write(shapeTo(position))
    finish()
  }

  function addCorner(position) {
    const first = corners[0] && map.project(corners[0])
    const point = map.project(position)
    const isEnd = first && corners.length > 2 && Math.hypot(first.x - point.x, first.y - point.y) < END
    if (!isEnd) corners.push([position.lng, position.lat])
    write({ polygon: corners.map(text).join(';') })
    if (isEnd) finish()
  }

  function finish() {
    choose(undefined)
    hint.textContent = 'The area is drawn. Choose filters, then show the price.'
  }

  const positionOf = ({ clientX, clientY }) => {
    const { left, top } = pad.getBoundingClientRect()
    return map.unproject([clientX - left, clientY - top])
  }
  const isMoved = ({ clientX, clientY }) =>
    pressed !== undefined && Math.hypot(clientX - pressed.x, clientY - pressed.y) >= STILL

  pad.addEventListener('pointerdown', (event) => {
    // A second finger starts a zoom, so the drag of the first one is dropped.
    if (!event.isPrimary) return forget()
    if (!mode || event.button !== 0) return
    pressed = { x: event.clientX, y: event.clientY, isFirst: anchor === undefined }
    if (mode !== 'polygon') anchor ??= positionOf(event)
    pad.setPointerCapture(event.pointerId)
  })
  pad.addEventListener('pointermove', (event) => {
    if (!anchor || !event.isPrimary) return
    if (!pressed || isMoved(event)) write(shapeTo(positionOf(event)))
  })
  pad.addEventListener('pointerup', (event) => {
    if (!pressed || !event.isPrimary) return
    const { isFirst } = pressed
    const isDrag = isMoved(event)
    pressed = undefined
    // A click sets the first corner and waits for the second one.
    if (mode === 'polygon' ? isDrag : isFirst && !isDrag) return
    place(positionOf(event))
  })
  pad.addEventListener('pointercancel', forget)
  canvas.addEventListener('keydown', (event) => {
    if (!mode) return
    if (event.key === 'Enter') place(map.getCenter())
    else if (event.key === 'Escape') choose(undefined)
    else return
    event.preventDefault()
  })
  map.on('move', ({ originalEvent }) => {
    // The keyboard moves the map, so its middle is the next corner.
    if (anchor && originalEvent instanceof KeyboardEvent) write(shapeTo(map.getCenter()))
  })

  function forget() {
    if (pressed?.isFirst && anchor) {
      anchor = undefined
      write({})
    }
    pressed = undefined
  }

  for (const name of AREA_FIELDS) document.getElementById(name).addEventListener('input', redraw)

  /** The form's fields are the only storage of the area. */
  function write(area) {
    for (const name of AREA_FIELDS) document.getElementById(name).value = area[name] ?? ''
    redraw()
  }

  /** Nothing to do before the map has loaded: it starts with the fields' values. */
  function redraw() {
    map.getSource('area')?.setData(drawnArea())
  }
}

const AREA_FIELDS = ['bbox', 'polygon', 'near', 'radius_m']

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

/** The area in the fields, as GeoJSON. A result has no fields: its area is in the page. */
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
  // One corner is not an area yet, and two are a line.
  const isArea = ring.length > 1 && ring.flat().every(Number.isFinite)
  const geometry = isArea
    ? { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
    : { type: 'Polygon', coordinates: [] }
  return { type: 'Feature', properties: {}, geometry }
}

/** For display only: the search measures along the great circle. */
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

/** The layers of vector tiles to draw, from bottom to top: a part of their names, and whether they are areas or lines. */
const BASE_KINDS = [
  [/land|park|green|wood/i, 'Polygon', '--raised'],
  [/water|ocean|sea/i, 'Polygon', '--water'],
  [/water/i, 'LineString', '--water'],
  [/building/i, 'Polygon', '--line'],
  [/road|transport|street|rail/i, 'LineString', '--line'],
  [/bound|admin/i, 'LineString', '--edge'],
]

/** The operator's tiles below the outlines. */
function baseOf({ url, minZoom, maxZoom, layers: names }, color) {
  const tiles = [url.startsWith('/') ? location.origin + url : url]
  const source = { tiles, minzoom: minZoom, maxzoom: maxZoom }
  if (!names) {
    const layers = [{ id: 'base', type: 'raster', source: 'base' }]
    return { source: { type: 'raster', tileSize: 256, ...source }, layers }
  }
  const layers = BASE_KINDS.flatMap(([pattern, geometry, name]) =>
    names
      .filter((layer) => pattern.test(layer))
      .map((layer) => ({
        ...{ id: `base-${layer}-${geometry}`, source: 'base', 'source-layer': layer },
        filter: ['==', ['geometry-type'], geometry],
        ...(geometry === 'Polygon'
          ? { type: 'fill', paint: { 'fill-color': color(name) } }
          : { type: 'line', paint: { 'line-color': color(name) } }),
      })),
  )
  return { source: { type: 'vector', ...source }, layers }
}

/** In the colors of the page. */
function style() {
  const colors = getComputedStyle(document.documentElement)
  const color = (name) => colors.getPropertyValue(name).trim()
  const empty = { type: 'FeatureCollection', features: [] }
  const kind = (name) => ['==', ['get', 'kind'], name]
  const { tiles } = document.getElementById('map').dataset
  const base = tiles && baseOf(JSON.parse(tiles), color)
  return {
    version: 8,
    sources: {
      outlines: { type: 'geojson', data: new URL('./outlines.json', import.meta.url).href },
      area: { type: 'geojson', data: empty },
      homes: { type: 'geojson', data: empty },
      ...(base && { base: base.source }),
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
      ...(base ? base.layers : []),
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

// Inserted last, so that everything above it is already there.
const frame = document.getElementById('map-frame')
if (frame) {
  frame.hidden = false
  try {
    const { Map: MapLibre } = await import('./maplibre-gl.mjs')
    start(MapLibre)
  } catch {
    // A browser without WebGL: areas are typed, as without script.
    frame.hidden = true
  }
}
