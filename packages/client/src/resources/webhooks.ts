import type { BodyOf, QueryOf, Webhook, WebhookDelivery, WebhookInput, WebhookPatch } from '../contract.ts'
import { type Core, toResult } from '../core/core.ts'
import { type CallOptions, type IdempotentOptions, repeatable } from '../options.ts'
import type { Receipt, Result } from '../result.ts'
import { type Pages, withCursorPages } from '../rows.ts'

export type RotationQuery = Partial<QueryOf<'/v1/webhooks/{id}/rotate-secret', 'post'>>
export type WebhooksQuery = Partial<QueryOf<'/v1/webhooks'>>
export type WebhooksPage = Result<BodyOf<'/v1/webhooks', 'get'>>
export type DeliveriesQuery = Partial<QueryOf<'/v1/webhooks/{id}/deliveries'>>
export type DeliveriesPage = Result<BodyOf<'/v1/webhooks/{id}/deliveries', 'get'>>

/** Webhook endpoints, which receive the events of jobs and watches. All calls are free. */
export class Webhooks {
  readonly #core: Core

  /** @internal */
  constructor(core: Core) {
    this.#core = core
  }

  /** Creates a webhook, for all events if `events` is left out. Only this response has the signing `secret`. */
  async create(
    webhook: WebhookInput,
    { idempotencyKey, ...options }: IdempotentOptions & CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/webhooks', 'post', 201>>> {
    const question = { body: webhook, ...repeatable(idempotencyKey) }
    const raw = await this.#core.ask('post', '/v1/webhooks', question, options)
    return toResult<BodyOf<'/v1/webhooks', 'post', 201>>(raw)
  }

  /** The webhooks of the account, the latest first, revoked ones included: a page when awaited, all of them when iterated. */
  list({ limit, cursor, ...options }: WebhooksQuery & CallOptions = {}): Pages<WebhooksPage, Webhook> {
    const ask = (cursor: string | undefined) =>
      this.#core.get('/v1/webhooks', { query: { limit, cursor } }, options)
    return withCursorPages<WebhooksPage, Webhook>(ask(cursor), ask)
  }

  /** A webhook, without its secret. */
  get(id: string, options: CallOptions = {}): Promise<Result<BodyOf<'/v1/webhooks/{id}', 'get'>>> {
    return this.#core.get('/v1/webhooks/{id}', { path: { id } }, options)
  }

  /** Changes the fields that you send, and returns the webhook. `active: false` pauses it. */
  async update(
    id: string,
    changes: WebhookPatch,
    options: CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/webhooks/{id}', 'patch'>>> {
    const question = { path: { id }, body: changes }
    return toResult<BodyOf<'/v1/webhooks/{id}', 'patch'>>(
      await this.#core.ask('patch', '/v1/webhooks/{id}', question, options),
    )
  }

  /** Sends a test delivery now and returns what the receiver answered. */
  async test(
    id: string,
    options: CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/webhooks/{id}/test', 'post'>>> {
    const question = { path: { id }, repetition: 'acts' } as const
    return toResult<BodyOf<'/v1/webhooks/{id}/test', 'post'>>(
      await this.#core.ask('post', '/v1/webhooks/{id}/test', question, options),
    )
  }

  /**
   * Gives a webhook a new signing `secret`, which only this response has. The earlier one signs for `overlap_hours` more (24 by
   * default); with 0, it stops signing immediately.
   */
  async rotateSecret(
    id: string,
    { overlap_hours, idempotencyKey, ...options }: RotationQuery & IdempotentOptions & CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/webhooks/{id}/rotate-secret', 'post'>>> {
    const question = { path: { id }, query: { overlap_hours }, ...repeatable(idempotencyKey) }
    return toResult<BodyOf<'/v1/webhooks/{id}/rotate-secret', 'post'>>(
      await this.#core.ask('post', '/v1/webhooks/{id}/rotate-secret', question, options),
    )
  }

  /** Revokes a webhook for good. Revoking it again changes nothing. */
  async delete(id: string, options: CallOptions = {}): Promise<Receipt> {
    return toResult(await this.#core.ask('delete', '/v1/webhooks/{id}', { path: { id } }, options))
  }

  /** The attempts to deliver to a webhook, the latest first: a page when awaited, all attempts when iterated. */
  deliveries(
    id: string,
    { limit, cursor, ...options }: DeliveriesQuery & CallOptions = {},
  ): Pages<DeliveriesPage, WebhookDelivery> {
    const ask = (cursor: string | undefined) =>
      this.#core.get('/v1/webhooks/{id}/deliveries', { path: { id }, query: { limit, cursor } }, options)
    return withCursorPages<DeliveriesPage, WebhookDelivery>(ask(cursor), ask)
  }

  /** One attempt to deliver to a webhook. */
  delivery(
    id: string,
    deliveryId: number | string,
    options: CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/webhooks/{id}/deliveries/{delivery_id}', 'get'>>> {
    const path = { id, delivery_id: String(deliveryId) }
    return this.#core.get('/v1/webhooks/{id}/deliveries/{delivery_id}', { path }, options)
  }

  /**
   * Sends the event of an attempt once more. The call makes one attempt; read its result with `deliveries`.
   *
   * @param deliveryId the `id` of any attempt of the event
   */
  async redeliver(
    id: string,
    deliveryId: number | string,
    { idempotencyKey, ...options }: IdempotentOptions & CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver', 'post'>>> {
    const question = { path: { id, delivery_id: String(deliveryId) }, ...repeatable(idempotencyKey) }
    const path = '/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver'
    return toResult<BodyOf<typeof path, 'post'>>(await this.#core.ask('post', path, question, options))
  }
}
