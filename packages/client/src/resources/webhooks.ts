import type { BodyOf, QueryOf, WebhookInput, WebhookPatch } from '../contract.ts'
import { type Core, toResult } from '../core/core.ts'
import type { CallOptions } from '../options.ts'
import type { Receipt, Result } from '../result.ts'

export type RotationQuery = Partial<QueryOf<'/v1/webhooks/{id}/rotate-secret', 'post'>>
export type DeliveriesQuery = Partial<QueryOf<'/v1/webhooks/{id}/deliveries'>>

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
    options: CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/webhooks', 'post', 201>>> {
    const question = { body: webhook, repetition: 'acts' } as const
    const raw = await this.#core.ask('post', '/v1/webhooks', question, options)
    return toResult<BodyOf<'/v1/webhooks', 'post', 201>>(raw)
  }

  /** All webhooks of the account, the latest first, revoked ones included. */
  list(options: CallOptions = {}): Promise<Result<BodyOf<'/v1/webhooks', 'get'>>> {
    return this.#core.get('/v1/webhooks', {}, options)
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
    { overlap_hours, ...options }: RotationQuery & CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/webhooks/{id}/rotate-secret', 'post'>>> {
    const question = { path: { id }, query: { overlap_hours }, repetition: 'acts' } as const
    return toResult<BodyOf<'/v1/webhooks/{id}/rotate-secret', 'post'>>(
      await this.#core.ask('post', '/v1/webhooks/{id}/rotate-secret', question, options),
    )
  }

  /** Revokes a webhook for good. Revoking it again changes nothing. */
  async delete(id: string, options: CallOptions = {}): Promise<Receipt> {
    return toResult(await this.#core.ask('delete', '/v1/webhooks/{id}', { path: { id } }, options))
  }

  /** The latest attempts to deliver to a webhook, the latest first. */
  deliveries(
    id: string,
    { limit, ...options }: DeliveriesQuery & CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/webhooks/{id}/deliveries', 'get'>>> {
    return this.#core.get('/v1/webhooks/{id}/deliveries', { path: { id }, query: { limit } }, options)
  }

  /**
   * Sends the event of an attempt once more. The call makes one attempt; read its result with `deliveries`.
   *
   * @param deliveryId the `id` of any attempt of the event
   */
  async redeliver(
    id: string,
    deliveryId: number | string,
    options: CallOptions = {},
  ): Promise<Result<BodyOf<'/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver', 'post'>>> {
    const question = { path: { id, delivery_id: String(deliveryId) }, repetition: 'acts' } as const
    const path = '/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver'
    return toResult<BodyOf<typeof path, 'post'>>(await this.#core.ask('post', path, question, options))
  }
}
