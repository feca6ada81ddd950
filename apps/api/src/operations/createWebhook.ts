import type { App } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { JOB_EVENTS } from '../jobs/job.ts'
import { isRefusal } from '../platform/refusal.ts'

export function createWebhook({ webhooks }: App): HandlerOf<'createWebhook'> {
  return ({ body: { url, events = JOB_EVENTS, description = '' } }, { principal }) => {
    const refusal = webhooks.refuseUrl(url)
    if (refusal) return refusal
    return async () => {
      const created = await webhooks.create(principal.accountId, { url, events, description })
      return isRefusal(created) ? created : { status: 201, units: 1, body: () => ({ data: created }) }
    }
  }
}
