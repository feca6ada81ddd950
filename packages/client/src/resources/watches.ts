import type { BodyOf, ListedWatch, QueryOf, WatchEvent, WatchInput, WatchPatch } from '../contract.ts'
import { type Core, toResult } from '../core/core.ts'
import { pause } from '../core/pause.ts'
import { type CallOptions, type IdempotentOptions, repeatable } from '../options.ts'
import type { Receipt, Result } from '../result.ts'
import { type AsyncRows, type Pages, withCursorPages, withRows } from '../rows.ts'

export type WatchesQuery = Partial<QueryOf<'/v1/watches'>>
export type WatchesPage = Result<BodyOf<'/v1/watches', 'get'>>
export type WatchEventsQuery = Partial<Omit<QueryOf<'/v1/watches/{id}/events'>, 'format'>>
export type WatchEventsPage = Result<BodyOf<'/v1/watches/{id}/events', 'get'>>

/** Searches and homes whose changes are events. An event costs 1 credit when it is written; all calls are free. */
export class Watches {
  readonly #core: Core

  /** @internal */
  constructor(core: Core) {
    this.#core = core
  }

  /** Watches `filters` or `zpids`. What matches now is the baseline; every later change is an event. */
  async create(
    watch: WatchInput,
    { idempotencyKey, ...options }: IdempotentOptions & CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/watches', 'post', 201>>> {
    const question = { body: watch, ...repeatable(idempotencyKey) }
    return toResult<BodyOf<'/v1/watches', 'post', 201>>(
      await this.#core.ask('post', '/v1/watches', question, options),
    )
  }

  /** The watches of the account without their homes, the latest first: a page when awaited, all watches when iterated. */
  list({ limit, cursor, ...options }: WatchesQuery & CallOptions = {}): Pages<WatchesPage, ListedWatch> {
    const ask = (cursor: string | undefined) =>
      this.#core.get('/v1/watches', { query: { limit, cursor } }, options)
    return withCursorPages<WatchesPage, ListedWatch>(ask(cursor), ask)
  }

  get(id: string, options: CallOptions = {}): Promise<Result<BodyOf<'/v1/watches/{id}', 'get'>>> {
    return this.#core.get('/v1/watches/{id}', { path: { id } }, options)
  }

  /** Changes the fields that you send, and returns the watch. New `filters` give it a new baseline. */
  async update(
    id: string,
    changes: WatchPatch,
    options: CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/watches/{id}', 'patch'>>> {
    const question = { path: { id }, body: changes }
    return toResult<BodyOf<'/v1/watches/{id}', 'patch'>>(
      await this.#core.ask('patch', '/v1/watches/{id}', question, options),
    )
  }

  /** Deletes a watch with its events. */
  async remove(id: string, options: CallOptions = {}): Promise<Receipt> {
    return toResult(await this.#core.ask('delete', '/v1/watches/{id}', { path: { id } }, options))
  }

  /**
   * The events after the `seq` `after`, in their order. Await it for one page. Iterate it to follow the watch: it yields each
   * event once and then polls for new ones, at intervals that grow from 2 to 30 seconds while there are none, until `signal`
   * is aborted or a call fails. To resume, pass the `seq` of the last event that you have handled as `after`.
   */
  events(
    id: string,
    { after, limit, cursor, ...options }: WatchEventsQuery & CallOptions = {},
  ): AsyncRows<WatchEventsPage, WatchEvent> {
    const ask = (after: number | undefined, cursor?: string) =>
      this.#core.get('/v1/watches/{id}/events', { path: { id }, query: { after, limit, cursor } }, options)
    const first = ask(after, cursor)
    return withRows(first, () => followWatchEvents(first, ask, options.signal))
  }
}

/** The first interval between two polls, in milliseconds. Each interval is 1.5 times the one before. */
const FIRST_INTERVAL_MS = 2_000
const MAX_INTERVAL_MS = 30_000

async function* followWatchEvents(
  first: Promise<WatchEventsPage>,
  ask: (after: number) => Promise<WatchEventsPage>,
  signal: AbortSignal | undefined,
): AsyncGenerator<WatchEvent, void> {
  let intervalMs = FIRST_INTERVAL_MS
  for (let page = await first; ; page = await ask(page.meta.next_after)) {
    yield* page.data
    if (page.meta.has_more) continue
    intervalMs = page.data.length > 0 ? FIRST_INTERVAL_MS : Math.min(intervalMs * 1.5, MAX_INTERVAL_MS)
    // Up to a tenth less, so that programs that were started together do not poll together.
    await pause(intervalMs * (1 - Math.random() / 10), signal)
  }
}
