import type { HandlerOf } from '../engine/handler.ts'
import type { House } from '../house.ts'
import { deliver } from './deliver.ts'

export function listWebhooks({ webhooks }: House): HandlerOf<'listWebhooks'> {
  return (_input, { caller }) =>
    async () =>
      deliver({ data: await webhooks.list(caller.accountId) })
}
