// Webhooks, their deliveries, and the encryption of their secrets.

export { listFailingWebhooks } from './webhooks/failing-webhooks.ts'
export { PING, pingWebhook } from './webhooks/ping.ts'
export { redeliverDropped, redeliverEvent } from './webhooks/redeliver.ts'
export { createSecretBox, UnknownKey } from './webhooks/secret-box.ts'
export { OVERLAP_HOURS, rotateSecret } from './webhooks/secrets.ts'
export { findAllowPrivateNetworks } from './webhooks/sending-rules.ts'
export { listWebhooks } from './webhooks/webhook-store.ts'
export { createWebhooks, type WebhookParts, type Webhooks } from './webhooks/webhooks.ts'
