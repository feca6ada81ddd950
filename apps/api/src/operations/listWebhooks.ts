import type { House } from '../house.ts'
import { deliver } from './deliver.ts'
import type { HandlerOf } from './handler.ts'

export function listWebhooks({ webhooks }: House): HandlerOf<'listWebhooks'> {
  return (_input, { caller }) =>
    async () =>
      deliver({ data: await webhooks.list(caller.accountId) })
}
