// A thread for polygons with many corners. Cutting one of 5,000 corners into ranges and comparing tens of thousands of homes with it
// takes the processor for some tens of milliseconds, in which the thread of the server answers other calls. There is one such
// thread, started with the first area that it is for. It works on one area after the other, in slices, so that it notices
// when a search is cancelled.

import { existsSync, readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'
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
  return isForThread(search) ? openInThread(search, signal) : openAreaHere(search, signal)
}

/** Whether the polygons of a search have many corners together. */
export function isLarge({ areas = [] }: AreaOfSearch): boolean {
  let corners = 0
  for (const area of areas)
    for (const rings of polygonsOf(area) ?? []) for (const ring of rings) corners += ring.length
  return corners >= MIN_CORNERS
}

/** The region of a place is shared by all searches, in the thread of the server. */
function isForThread(search: AreaOfSearch): boolean {
  return isLarge(search) && !search.areas?.some(({ type }) => type === 'place')
}

type Order =
  /** `packed` is absent if the thread still has the areas with this number. */
  | {
      readonly kind: 'cut'
      readonly id: number
      readonly bbox: AreaOfSearch['bbox']
      readonly areas: number
      readonly packed: PackedAreas | undefined
    }
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
    const { bbox, areas = [] } = search
    const number = numbers.get(areas) ?? ++lastNumber
    numbers.set(areas, number)
    const packed = mine.kept.has(number) ? undefined : pack(areas)
    keepLast(mine.kept, number, true)
    const transferred = packed ? [packed.positions.buffer] : []
    const { ranges } = await ask<'ranges'>({ kind: 'cut', id, bbox, areas: number, packed }, transferred)
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

/** Areas have a number, by which the thread knows them again: a job searches the same ones tile by tile. */
const numbers = new WeakMap<readonly SearchArea[], number>()
let lastNumber = 0

/** Lists of areas that the thread keeps, with their regions: those that were searched last. */
const MAX_KEPT = 8

/** Makes an entry the last one, and drops the first where there are too many. */
function keepLast<Value>(kept: Map<number, Value>, number: number, value: Value): void {
  kept.delete(number)
  kept.set(number, value)
  const [first] = kept.keys()
  if (kept.size > MAX_KEPT) kept.delete(first!)
}

type WithoutPolygons = Exclude<SearchArea, { readonly type: 'Polygon' | 'MultiPolygon' }>

/**
 * Areas as they are sent to the thread. All positions of their polygons are in one array, and each polygon has the lengths of its
 * rings. Copying thousands of small lists to a thread would take longer than reading them there.
 */
interface PackedAreas {
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

function pack(areas: readonly SearchArea[]): PackedAreas {
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
  return { areas: packed, positions }
}

function unpack({ areas, positions }: PackedAreas): SearchArea[] {
  let at = 0
  const positionOf = (): Position => [positions[at++]!, positions[at++]!]
  return areas.map((area): SearchArea => {
    if (area.type !== 'Polygons') return area
    const polygons = area.lengths.map((rings) => rings.map((length) => Array.from({ length }, positionOf)))
    return polygons.length === 1
      ? { type: 'Polygon', coordinates: polygons[0]! }
      : { type: 'MultiPolygon', coordinates: polygons }
  })
}

interface Thread {
  readonly worker: Worker
  /** Of the search with this number, what it waits for. */
  readonly replies: Map<number, PromiseWithResolvers<Reply>>
  /** The numbers of the areas that it keeps. Orders arrive in their order, so both sides keep the same. */
  readonly kept: Map<number, true>
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
  const started: Thread = { worker, replies: new Map(), kept: new Map() }
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
  const searches = new Map<number, { readonly aborter: AbortController; work?: AreaWork }>()
  const kept = new Map<number, readonly SearchArea[]>()

  async function answer(order: Extract<Order, { kind: 'cut' | 'compare' }>): Promise<Reply> {
    const { id } = order
    if (order.kind === 'cut') {
      const search: { aborter: AbortController; work?: AreaWork } = { aborter: new AbortController() }
      searches.set(id, search)
      const areas = order.packed ? unpack(order.packed) : kept.get(order.areas)!
      keepLast(kept, order.areas, areas)
      search.work = await openAreaHere({ bbox: order.bbox, areas }, search.aborter.signal)
      return { id, ranges: search.work.ranges }
    }
    const { edge, page } = order
    const compared = await searches.get(id)!.work!.compare(Buffer.from(edge.buffer as ArrayBuffer), page)
    return { id, compared }
  }

  port.on('message', (order: Order) => {
    if (order.kind === 'ping') {
      port.postMessage('pong')
      return
    }
    if (order.kind === 'close') {
      searches.get(order.id)?.aborter.abort()
      searches.delete(order.id)
      return
    }
    answer(order).then(
      (reply) => port.postMessage(reply),
      (failure) => searches.has(order.id) && port.postMessage({ id: order.id, failure } satisfies Reply),
    )
  })
}

/** Where all processors are in use, other threads go first. Only Linux has a priority for each thread. */
function lowerPriority(): void {
  const own = '/proc/thread-self'
  if (process.platform !== 'linux' || !existsSync(own)) return
  setPriority(Number(basename(readlinkSync(own))), constants.priority.PRIORITY_BELOW_NORMAL)
}

if (!isMainThread && workerData === AREA_THREAD) {
  lowerPriority()
  serve(parentPort!)
}
