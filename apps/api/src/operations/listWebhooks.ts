import type { House } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { deliver } from './deliver.ts'

export function listWebhooks({ webhooks }: House): HandlerOf<'listWebhooks'> {
  return (_input, { caller }) =>
    async () =>
      deliver({ data: await webhooks.list(caller.accountId) })
}
