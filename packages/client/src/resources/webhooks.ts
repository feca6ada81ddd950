import type { BodyOf, QueryOf, WebhookInput } from '../contract.ts'
import { type Core, toResult } from '../core/core.ts'
import type { CallOptions } from '../options.ts'
import type { Receipt, Result } from '../result.ts'

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
}
