import type { BodyOf, QueryOf, WatchInput, WatchPatch } from '../contract.ts'
import { type Core, toResult } from '../core/core.ts'
import type { CallOptions } from '../options.ts'
import type { Receipt, Result } from '../result.ts'

export type WatchEventsQuery = Partial<QueryOf<'/v1/watches/{id}/events'>>

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
    options: CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/watches', 'post', 201>>> {
    const question = { body: watch, repetition: 'acts' } as const
    return toResult<BodyOf<'/v1/watches', 'post', 201>>(
      await this.#core.ask('post', '/v1/watches', question, options),
    )
  }

  /** All watches of the account, the latest first. */
  list(options: CallOptions = {}): Promise<Result<BodyOf<'/v1/watches', 'get'>>> {
    return this.#core.get('/v1/watches', {}, options)
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

  /** The events after the `seq` `after`, in their order. To follow a watch, pass the last `seq` that you have read. */
  events(
    id: string,
    { after, limit, ...options }: WatchEventsQuery & CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/watches/{id}/events', 'get'>>> {
    return this.#core.get('/v1/watches/{id}/events', { path: { id }, query: { after, limit } }, options)
  }
}
