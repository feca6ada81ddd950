// A thread for polygons with many corners. Cutting one of 5,000 corners into ranges and comparing tens of thousands of homes with it
// takes the processor for some tens of milliseconds, in which the thread of the server answers other calls. There is one such
// thread, started with the first area that it is for. It works on one area after the other, in slices, so that it notices
// when a search is cancelled.

import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { Position, Ring } from '@lotline/contract/checks'
import type { SearchArea } from '../../search/area-search.ts'
import type { MortonRange } from '../../search/morton.ts'
import { AreaThreadLost, type SearchPage } from '../provider.ts'
import { type AreaOfSearch, type AreaWork, type Compared, openAreaHere } from './area-work.ts'

/** Areas with fewer corners are done before they would have arrived in another thread. */
const MIN_CORNERS = 200

/**
 * Cuts the area of a search, here or in the thread. What a thread that ends leaves undone is done once more, in a fresh one.
 *
 * @throws the signal's reason; `AreaThreadLost` when the fresh thread ended, too
 */
export function openArea(search: AreaOfSearch, signal: AbortSignal): Promise<AreaWork> {
  return isForThread(search.areas ?? []) ? openInThread(search, signal) : openAreaHere(search, signal)
}

/** The region of a place is shared by all searches, in the thread of the server. */
function isForThread(areas: readonly SearchArea[]): boolean {
  let corners = 0
  for (const area of areas) {
    if (area.type === 'place') return false
    for (const rings of polygonsOf(area) ?? []) for (const ring of rings) corners += ring.length
  }
  return corners >= MIN_CORNERS
}

type Order =
  | { readonly kind: 'cut'; readonly id: number; readonly search: PackedSearch }
  | { readonly kind: 'compare'; readonly id: number; readonly edge: Uint8Array; readonly page: SearchPage }
  | { readonly kind: 'close'; readonly id: number }
  | { readonly kind: 'ping' }

type Reply = { readonly id: number } & (
  | { readonly ranges: readonly MortonRange[] }
  | { readonly compared: Compared }
  | { readonly failure: unknown }
)

async function openInThread(search: AreaOfSearch, signal: AbortSignal): Promise<AreaWork> {
  let isRepeated = false
  /** Once for a search: its area may be what ends the thread. */
  function repeat(error: unknown): Promise<AreaWork> {
    if (!(error instanceof AreaThreadLost) || isRepeated) throw error
    isRepeated = true
    return openOnce(search, signal)
  }
  let work = await openOnce(search, signal).catch(repeat)
  return {
    ranges: work.ranges,
    async compare(edge, page) {
      try {
        return await work.compare(edge, page)
      } catch (error) {
        work.close()
        work = await repeat(error)
        return await work.compare(edge, page)
      }
    },
    close: () => work.close(),
  }
}

/** @throws {AreaThreadLost} when the thread ends, as does `compare` */
async function openOnce(search: AreaOfSearch, signal: AbortSignal): Promise<AreaWork> {
  signal.throwIfAborted()
  thread ??= startThread()
  const mine = thread
  const { worker, replies } = mine
  const id = ++lastId
  const close = () => {
    signal.removeEventListener('abort', cancel)
    replies.delete(id)
    worker.postMessage({ kind: 'close', id } satisfies Order)
  }
  const cancel = () => {
    replies.get(id)?.reject(signal.reason)
    close()
  }
  signal.addEventListener('abort', cancel, { once: true })
  const ask = <Kind extends 'ranges' | 'compared'>(order: Order, transferred: ArrayBuffer[] = []) => {
    signal.throwIfAborted()
    if (mine.ended) throw mine.ended
    const reply = Promise.withResolvers<Reply>()
    replies.set(id, reply)
    worker.postMessage(order, transferred)
    watch(mine)
    return reply.promise as Promise<Extract<Reply, { [Name in Kind]: unknown }>>
  }
  try {
    const packed = pack(search)
    const { ranges } = await ask<'ranges'>({ kind: 'cut', id, search: packed }, [packed.positions.buffer])
    return {
      ranges,
      async compare(edge, page) {
        // A copy is sent, since the homes are compared once more when the thread ends.
        const own = new Uint8Array(edge)
        return (await ask<'compared'>({ kind: 'compare', id, edge: own, page }, [own.buffer])).compared
      },
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

type WithoutPolygons = Exclude<SearchArea, { readonly type: 'Polygon' | 'MultiPolygon' }>

/**
 * A search as it is sent to the thread. All positions of its polygons are in one array, and each polygon has the lengths of its
 * rings. Copying thousands of small lists to a thread would take longer than reading them there.
 */
interface PackedSearch {
  readonly bbox: AreaOfSearch['bbox']
  readonly areas: readonly (
    | WithoutPolygons
    | { readonly type: 'Polygons'; readonly lengths: readonly (readonly number[])[] }
  )[]
  /** Longitudes and latitudes of all polygons, in order. */
  readonly positions: Float64Array<ArrayBuffer>
}

function polygonsOf(area: SearchArea): readonly (readonly Ring[])[] | undefined {
  if (area.type === 'Polygon') return [area.coordinates]
  return area.type === 'MultiPolygon' ? area.coordinates : undefined
}

function pack({ bbox, areas = [] }: AreaOfSearch): PackedSearch {
  let count = 0
  for (const area of areas)
    for (const rings of polygonsOf(area) ?? []) for (const ring of rings) count += ring.length
  const positions = new Float64Array(2 * count)
  let at = 0
  const packed = areas.map((area) => {
    const polygons = polygonsOf(area)
    if (!polygons) return area as WithoutPolygons
    for (const rings of polygons) {
      for (const ring of rings) {
        for (const position of ring) {
          positions[at++] = position[0]
          positions[at++] = position[1]
        }
      }
    }
    return { type: 'Polygons', lengths: polygons.map((rings) => rings.map(({ length }) => length)) } as const
  })
  return { bbox, areas: packed, positions }
}

function unpack({ bbox, areas, positions }: PackedSearch): AreaOfSearch {
  let at = 0
  const positionOf = (): Position => [positions[at++]!, positions[at++]!]
  const unpacked = areas.map((area): SearchArea => {
    if (area.type !== 'Polygons') return area
    const polygons = area.lengths.map((rings) => rings.map((length) => Array.from({ length }, positionOf)))
    return polygons.length === 1
      ? { type: 'Polygon', coordinates: polygons[0]! }
      : { type: 'MultiPolygon', coordinates: polygons }
  })
  return { bbox, areas: unpacked }
}

interface Thread {
  readonly worker: Worker
  /** Of the search with this number, what it waits for. */
  readonly replies: Map<number, PromiseWithResolvers<Reply>>
  /** Ends the thread if it does not answer the last ping, or sends the next ping; absent: no ping is due. */
  watchdog?: NodeJS.Timeout | undefined
  /** It has ended and answers nothing any more. */
  ended?: AreaThreadLost
}

/** Milliseconds without an answer to a ping after which the thread is ended. A thread at work answers between two slices. */
const HUNG_MS = 30_000
/** Milliseconds from an answer to the next ping, while searches wait for the thread. */
const PING_EVERY_MS = 1_000

function watch(watched: Thread): void {
  if (watched.watchdog || watched.ended) return
  watched.worker.postMessage({ kind: 'ping' } satisfies Order)
  watched.watchdog = setTimeout(() => watched.worker.terminate(), HUNG_MS).unref()
}

function noteAnswer(watched: Thread): void {
  clearTimeout(watched.watchdog)
  watched.watchdog = setTimeout(() => {
    watched.watchdog = undefined
    if (watched.replies.size > 0) watch(watched)
  }, PING_EVERY_MS).unref()
}

let thread: Thread | undefined
let lastId = 0

function startThread(): Thread {
  const worker = new Worker(new URL(import.meta.url), { workerData: AREA_THREAD, name: 'areas' })
  const started: Thread = { worker, replies: new Map() }
  // The thread keeps no process alive.
  worker.unref()
  worker.on('message', (reply: Reply | 'pong') => {
    if (reply === 'pong') return noteAnswer(started)
    const waiting = started.replies.get(reply.id)
    started.replies.delete(reply.id)
    if ('failure' in reply) waiting?.reject(reply.failure)
    else waiting?.resolve(reply)
  })
  // Out of memory, for example. The next order starts another thread.
  const end = (message: string, cause?: unknown) => {
    if (thread === started) thread = undefined
    clearTimeout(started.watchdog)
    started.ended ??= new AreaThreadLost(message, { cause })
    for (const waiting of started.replies.values()) waiting.reject(started.ended)
    started.replies.clear()
  }
  worker.on('error', (error) => end('The thread for areas has failed.', error))
  worker.on('exit', (code) => end(`The thread for areas has ended with ${code}.`))
  return started
}

/** Ends the thread, if there is one. Its searches begin again in another. */
export async function endAreaThread(): Promise<void> {
  await thread?.worker.terminate()
}

/** Tells the thread that it is one: tests run in threads too. */
const AREA_THREAD = 'lotline-areas'

function serve(port: NonNullable<typeof parentPort>): void {
  const areas = new Map<number, { readonly aborter: AbortController; work?: AreaWork }>()

  async function answer(order: Extract<Order, { kind: 'cut' | 'compare' }>): Promise<Reply> {
    const { id } = order
    if (order.kind === 'cut') {
      const area: { aborter: AbortController; work?: AreaWork } = { aborter: new AbortController() }
      areas.set(id, area)
      area.work = await openAreaHere(unpack(order.search), area.aborter.signal)
      return { id, ranges: area.work.ranges }
    }
    const { edge, page } = order
    const compared = await areas.get(id)!.work!.compare(Buffer.from(edge.buffer as ArrayBuffer), page)
    return { id, compared }
  }

  port.on('message', (order: Order) => {
    if (order.kind === 'ping') {
      port.postMessage('pong')
      return
    }
    if (order.kind === 'close') {
      areas.get(order.id)?.aborter.abort()
      areas.delete(order.id)
      return
    }
    answer(order).then(
      (reply) => port.postMessage(reply),
      (failure) => areas.has(order.id) && port.postMessage({ id: order.id, failure } satisfies Reply),
    )
  })
}

if (!isMainThread && workerData === AREA_THREAD) serve(parentPort!)
