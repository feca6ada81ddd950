// WEBHOOKS, as the rest of the program sees them: made, listed, revoked, and delivered to where a process is told to.

import type { Webhook, WebhookDelivery, WebhookWithSecret } from '@lotline/contract'
import type { Refusal } from '../platform/refusal.ts'
import { type Deliverer, type DelivererParts, startDeliverer } from './deliver-events.ts'
import { listDeliveries } from './delivery-log.ts'
import { createSecretBox } from './secret-box.ts'
import { prepareSecrets } from './secrets.ts'
import { recordAllowPrivateNetworks } from './sending-rules.ts'
import { createWebhook, hasWebhook, listWebhooks, type NewWebhook, revokeWebhook } from './webhook-store.ts'
import { parseWebhookUrl } from './webhook-url.ts'

export interface Webhooks {
  /** `invalid_url`, as far as the text tells; undefined: it may be tried. */
  refuseUrl(url: string): Refusal | undefined
  create(accountId: string, webhook: NewWebhook): Promise<WebhookWithSecret | Refusal>
  list(accountId: string): Promise<Webhook[]>
  /** When it resolves, no request to the webhook begins any more. False: the account has none with this id. */
  revoke(accountId: string, id: string): Promise<boolean>
  /** The latest attempts; undefined: the account has no such webhook. */
  deliveries(accountId: string, id: string, limit: number): Promise<WebhookDelivery[] | undefined>
  /**
   * To be done before anything else, in every process.
   *
   * @throws {StartError} when a key is missing that signing secrets are encrypted with.
   */
  prepare(): Promise<void>
  /** The ids of the keys that signing secrets can be decrypted with here; the first encrypts. */
  keyIds(): readonly string[]
  /** Records the rules of this process for the command. To be done before `start`. */
  recordRules(): Promise<void>
  start(): Deliverer
}

export type WebhookParts = Omit<DelivererParts, 'box'>

export function createWebhooks(parts: WebhookParts): Webhooks {
  const { config, database } = parts
  const box = createSecretBox(config)
  return {
    refuseUrl(url) {
      const target = parseWebhookUrl(url, config.webhooks.allowPrivateNetworks)
      return 'refused' in target ? target : undefined
    },
    create: (accountId, webhook) => createWebhook(database, box, accountId, webhook),
    list: (accountId) => listWebhooks(database, accountId),
    revoke: (accountId, id) => revokeWebhook(database, accountId, id),
    deliveries: async (accountId, id, limit) =>
      (await hasWebhook(database, accountId, id))
        ? listDeliveries(database, accountId, id, limit)
        : undefined,
    prepare: () => prepareSecrets(database, box),
    keyIds: box.keyIds,
    recordRules: () => recordAllowPrivateNetworks(database, config.webhooks.allowPrivateNetworks),
    start: () => startDeliverer({ ...parts, box }),
  }
}
