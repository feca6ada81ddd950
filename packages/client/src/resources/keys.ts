import type { ApiKey, BodyOf, KeyInput, KeyPatch, QueryOf } from '../contract.ts'
import { type Core, toResult } from '../core/core.ts'
import { type CallOptions, type IdempotentOptions, repeatable } from '../options.ts'
import type { Receipt, Result } from '../result.ts'
import { type Pages, withCursorPages } from '../rows.ts'

export type KeysQuery = Partial<QueryOf<'/v1/keys'>>
export type KeysPage = Result<BodyOf<'/v1/keys', 'get'>>
export type KeyRotationQuery = Partial<QueryOf<'/v1/keys/{id}/rotate', 'post'>>

/** API keys of the account. A key cannot give another key more than it has. All calls are free. */
export class Keys {
  readonly #core: Core

  /** @internal */
  constructor(core: Core) {
    this.#core = core
  }

  /** The live keys, and the ones that ended last, the latest first: a page when awaited, all of them when iterated. */
  list({ limit, cursor, ...options }: KeysQuery & CallOptions = {}): Pages<KeysPage, ApiKey> {
    const ask = (cursor: string | undefined) =>
      this.#core.get('/v1/keys', { query: { limit, cursor } }, options)
    return withCursorPages<KeysPage, ApiKey>(ask(cursor), ask)
  }

  /**
   * Creates a key. Only this response has the `key` itself. With an `idempotencyKey`, a repetition creates no second key and returns
   * the first one.
   */
  async create(
    key: KeyInput,
    { idempotencyKey, ...options }: IdempotentOptions & CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/keys', 'post', 201>>> {
    const question = { body: key, ...repeatable(idempotencyKey) }
    return toResult<BodyOf<'/v1/keys', 'post', 201>>(
      await this.#core.ask('post', '/v1/keys', question, options),
    )
  }

  /** A key, without its text. */
  get(id: string, options: CallOptions = {}): Promise<Result<BodyOf<'/v1/keys/{id}', 'get'>>> {
    return this.#core.get('/v1/keys/{id}', { path: { id } }, options)
  }

  /** Changes the fields that you send, and returns the key. Null removes a limit. */
  async update(
    id: string,
    changes: KeyPatch,
    options: CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/keys/{id}', 'patch'>>> {
    const question = { path: { id }, body: changes }
    return toResult<BodyOf<'/v1/keys/{id}', 'patch'>>(
      await this.#core.ask('patch', '/v1/keys/{id}', question, options),
    )
  }

  /** Replaces a key. The old one works for `grace_minutes` more (60 by default). Only this response has the new `key`. */
  async rotate(
    id: string,
    { grace_minutes, idempotencyKey, ...options }: KeyRotationQuery & IdempotentOptions & CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/keys/{id}/rotate', 'post'>>> {
    const question = { path: { id }, query: { grace_minutes }, ...repeatable(idempotencyKey) }
    return toResult<BodyOf<'/v1/keys/{id}/rotate', 'post'>>(
      await this.#core.ask('post', '/v1/keys/{id}/rotate', question, options),
    )
  }

  /** Revokes a key for good. Revoking it again changes nothing. */
  async delete(id: string, options: CallOptions = {}): Promise<Receipt> {
    return toResult(await this.#core.ask('delete', '/v1/keys/{id}', { path: { id } }, options))
  }
}
