import type { App } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { deliver } from './deliver.ts'

export function listWebhooks({ webhooks }: App): HandlerOf<'listWebhooks'> {
  return (_input, { principal }) =>
    async () =>
      deliver({ data: await webhooks.list(principal.accountId) })
}
