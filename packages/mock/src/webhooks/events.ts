// What a webhook may be told, from the contract: the example of each event, and the secret that the mock gives out.

import { openapi, type WebhookEventType } from '@lotline/contract'
import { type Node, resolve } from '@lotline/contract/nodes'

/** The events of jobs, and the test delivery that an operator of the service can send. */
export type WebhookType = 'job.succeeded' | 'job.failed' | 'job.timed_out' | 'job.aborted' | 'webhook.ping'

/** The ping is not in the contract, since nobody can subscribe to it. */
const PING = 'webhook.ping'

export const WEBHOOK_TYPES: readonly WebhookType[] = [
  'job.succeeded',
  'job.failed',
  'job.timed_out',
  'job.aborted',
  PING,
] satisfies readonly (WebhookEventType | typeof PING)[]

/** The secret that the mock's POST /v1/webhooks answers: that of the contract's example. */
export const DEMO_SECRET = secretOfExample()

/** `data` of an event; of a job's event the example of the contract, word for word. */
export function dataOf(type: WebhookType): Node {
  if (type === PING) return {}
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
