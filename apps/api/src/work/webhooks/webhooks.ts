// The interface of the webhooks module: create, list, change, test, and revoke webhooks. Only processes with the worker role send
// deliveries.

import type { Webhook, WebhookDelivery, WebhookWithSecret } from '@lotline/contract'
import type { Database } from '../../infrastructure/database.ts'
import { parseWebhookUrl } from '../../infrastructure/net.ts'
import type { Refusal } from '../../infrastructure/refusals.ts'
import { type Deliverer, type DelivererParts, startDeliverer } from './deliver-events.ts'
import { type AttemptsPart, findDelivery, listDeliveries } from './delivery-log.ts'
import { type Ping, pingWebhook } from './ping.ts'
import { type RedeliveryResult, redeliverAttempt } from './redeliver.ts'
import { createSecretBox } from './secret-box.ts'
import { prepareKey, prepareSecrets, rotateSecret, type SecretRotation } from './secrets.ts'
import { recordAllowPrivateNetworks } from './sending-rules.ts'
import {
  createWebhook,
  findWebhook,
  hasWebhook,
  type ListPart,
  listWebhooks,
  type NewWebhook,
  revokeWebhook,
  updateWebhook,
  type WebhookChanges,
  type WebhookListEntry,
} from './webhook-store.ts'

export interface Webhooks {
  /** `invalid_url` if the URL's text is invalid; undefined: the URL may work. */
  refuseUrl(url: string): Refusal | undefined
  /** This method and some below take a database: if they are part of a larger change, pass its transaction. */
  create(accountId: string, webhook: NewWebhook, database?: Database): Promise<WebhookWithSecret | Refusal>
  list(accountId: string, part: ListPart): Promise<WebhookListEntry[]>
  /** undefined: the account has no such webhook, or it was revoked long ago. */
  find(accountId: string, id: string): Promise<Webhook | undefined>
  /** When it resolves, no new request goes to the webhook. False: the account has none with this id. */
  revoke(accountId: string, id: string): Promise<boolean>
  /** When it resolves, no new request contradicts the changes. undefined: the account has no such webhook. */
  update(accountId: string, id: string, changes: WebhookChanges): Promise<Webhook | 'revoked' | undefined>
  /** Sends a test delivery and waits for the response. */
  test(accountId: string, id: string, signal: AbortSignal): Promise<Ping>
  /** `overlapHours`: how long the old secret also signs. */
  rotateSecret(
    accountId: string,
    id: string,
    overlapHours: number,
    database?: Database,
  ): Promise<SecretRotation>
  /** Redelivers the event of an attempt. */
  redeliver(accountId: string, id: string, attemptId: string, database?: Database): Promise<RedeliveryResult>
  /** The attempts, latest first; undefined: the account has no such webhook. */
  deliveries(accountId: string, id: string, part: AttemptsPart): Promise<WebhookDelivery[] | undefined>
  /** undefined: the webhook has no such attempt. */
  delivery(accountId: string, id: string, attemptId: string): Promise<WebhookDelivery | undefined>
  /** Creates the encryption key at the first start. @throws the error of the file system if its file cannot be written */
  prepareKey(): Promise<void>
  /** Runs next in every process. @throws {StartError} when a key that signing secrets are encrypted with is missing */
  prepare(): Promise<void>
  /** The ids of the available encryption keys; the first encrypts. */
  keyIds(): readonly string[]
  /** Stores this process's rules for the command. Call it before `start`. */
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
    create: (accountId, webhook, joined = database) => createWebhook(joined, box, accountId, webhook),
    list: (accountId, part) => listWebhooks(database, accountId, part),
    find: (accountId, id) => findWebhook(database, accountId, id),
    revoke: (accountId, id) => revokeWebhook(database, accountId, id),
    update: (accountId, id, changes) => updateWebhook(database, accountId, id, changes),
    test: (accountId, id, signal) =>
      pingWebhook(config, database, box, id, {
        accountId,
        signal,
        ...(parts.network && { network: parts.network }),
        ...(parts.observer && { observer: parts.observer }),
      }),
    rotateSecret: (accountId, id, overlapHours, joined = database) =>
      rotateSecret(joined, box, id, { accountId, overlapHours }),
    redeliver: (accountId, id, attemptId, joined = database) =>
      redeliverAttempt(joined, accountId, id, attemptId),
    deliveries: async (accountId, id, part) =>
      (await hasWebhook(database, accountId, id)) ? listDeliveries(database, accountId, id, part) : undefined,
    delivery: (accountId, id, attemptId) => findDelivery(database, accountId, id, attemptId),
    prepareKey: () => prepareKey(database, box),
    prepare: () => prepareSecrets(database, box),
    keyIds: box.keyIds,
    recordRules: () => recordAllowPrivateNetworks(database, config.webhooks.allowPrivateNetworks),
    start: () => startDeliverer({ ...parts, box }),
  }
}
