/**
 * A mock of the Lotline API, and a sender of its webhooks, for tests and for work without a service. README.md says what
 * they do.
 */
import type { AddressInfo } from 'node:net'
import { createInputCheck } from '@lotline/contract/input'
import { createAnswer } from './answer.ts'
import { examples } from './examples.ts'
import { createMockServer, type Listener } from './server.ts'

export { DEMO_KEY } from './demo-key.ts'
export type { Reply as MockReply } from './reply.ts'
export type { Listener, MockRequest } from './server.ts'
export {
  createWebhook,
  type SignedWebhook,
  WEBHOOK_FAULTS,
  type WebhookFault,
  type WebhookOptions,
} from './webhooks/create-webhook.ts'
export { DEMO_SECRET, WEBHOOK_TYPES, type WebhookType } from './webhooks/events.ts'
export { type SendOptions, sendWebhook, type WebhookOutcome } from './webhooks/send-webhook.ts'

export interface MockOptions {
  /** The port. 0, the default, chooses a free one. */
  readonly port?: number
  /** An address or name of this machine; 127.0.0.1 by default. */
  readonly host?: string
  /** Called with every response. */
  readonly onAnswer?: Listener
}

export interface Mock {
  /** The base URL, for example `http://127.0.0.1:4010`, without a final slash. */
  readonly origin: string
  /** Stops immediately. Open calls are aborted. */
  close(): Promise<void>
}

/** Starts the mock; it answers when this resolves. Fails as `server.listen` does, for example with `EADDRINUSE`. */
export async function startMock({
  port = 0,
  host = '127.0.0.1',
  onAnswer = () => undefined,
}: MockOptions = {}): Promise<Mock> {
  const server = createMockServer(createAnswer(examples, createInputCheck({ useDefaults: false })), onAnswer)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  return {
    origin: `http://${hostToCall(address)}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A server that listens on all addresses is reachable on the loopback address. */
function hostToCall({ address, family }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1'
  return family === 'IPv6' ? `[${address}]` : address
}
