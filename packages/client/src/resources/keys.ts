import type { BodyOf, KeyInput, QueryOf } from '../contract.ts'
import { type Core, toResult } from '../core/core.ts'
import type { CallOptions } from '../options.ts'
import type { Receipt, Result } from '../result.ts'

export type KeyRotationQuery = Partial<QueryOf<'/v1/keys/{id}/rotate', 'post'>>

/** API keys of the account. A key cannot give another key more than it has. All calls are free. */
export class Keys {
  readonly #core: Core

  /** @internal */
  constructor(core: Core) {
    this.#core = core
  }

  /** All live keys, and the ones that ended last, the latest first. */
  list(options: CallOptions = {}): Promise<Result<BodyOf<'/v1/keys', 'get'>>> {
    return this.#core.get('/v1/keys', {}, options)
  }

  /**
   * Creates a key. Only this response has the `key` itself: with an `idempotencyKey`, a repetition creates no second key and has
   * null in its place.
   */
  async create(
    key: KeyInput,
    { idempotencyKey, ...options }: { idempotencyKey?: string } & CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/keys', 'post', 201>>> {
    const repetition = idempotencyKey === undefined ? 'acts' : 'safe'
    const question = { body: key, repetition, idempotencyKey } as const
    return toResult<BodyOf<'/v1/keys', 'post', 201>>(
      await this.#core.ask('post', '/v1/keys', question, options),
    )
  }

  /** Replaces a key. The old one works for `grace_minutes` more (60 by default). Only this response has the new `key`. */
  async rotate(
    id: string,
    { grace_minutes, ...options }: KeyRotationQuery & CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/keys/{id}/rotate', 'post'>>> {
    const question = { path: { id }, query: { grace_minutes }, repetition: 'acts' } as const
    return toResult<BodyOf<'/v1/keys/{id}/rotate', 'post'>>(
      await this.#core.ask('post', '/v1/keys/{id}/rotate', question, options),
    )
  }

  /** Revokes a key for good. Revoking it again changes nothing. */
  async delete(id: string, options: CallOptions = {}): Promise<Receipt> {
    return toResult(await this.#core.ask('delete', '/v1/keys/{id}', { path: { id } }, options))
  }
}
