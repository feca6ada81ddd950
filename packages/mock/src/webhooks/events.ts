// What a webhook may receive, from the contract: the example of each event, and the secret that the mock gives out.

import { openapi, type WebhookEventType } from '@lotline/contract'
import { type Node, resolve } from '@lotline/contract/nodes'

/** The events of the contract: those that webhooks subscribe to, and the test delivery that an operator can send. */
export type WebhookType = WebhookEventType | 'webhook.ping'

export const WEBHOOK_TYPES = Object.keys(openapi.webhooks) as readonly WebhookType[]

/** The secret that the mock's POST /v1/webhooks answers: that of the contract's example. */
export const DEMO_SECRET = secretOfExample()

/** `data` of an event: that of the contract's example, word for word. */
export function exampleEventData(type: WebhookType): Node {
  const { requestBody } = resolve(openapi.webhooks[type]?.post)
  return resolve(firstExample(resolve(requestBody)).data)
}

function secretOfExample(): string {
  const { responses } = resolve(openapi.paths['/v1/webhooks']?.post)
  const created = firstExample(resolve((responses as Node)['201']))
  return String(resolve(created.data).secret)
}

/** The value of the first example of a JSON body. */
function firstExample({ content }: Node): Node {
  const { examples } = resolve((content as Node)['application/json'])
  return resolve(resolve(Object.values(examples as Node)[0]).value)
}
