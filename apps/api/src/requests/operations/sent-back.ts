import { type OperationId, operations } from '@lotline/contract'
import { findChangedReadOnlyField } from '@lotline/contract/checks'
import { isRefusal } from '../../infrastructure/refusals.ts'
import type { Handler, Task } from '../engine/handler.ts'

type Handlers = Readonly<Record<OperationId, Handler>>

/**
 * The handlers, of which each PATCH takes a resource as a GET returned it. Fields that cannot be changed are named as ignored where
 * their values are not those of the resource.
 */
export function withSentBack(handlers: Handlers): Handlers {
  const patches = (Object.keys(handlers) as OperationId[]).filter((id) => operations[id].method === 'PATCH')
  return { ...handlers, ...Object.fromEntries(patches.map((id) => [id, comparing(id, handlers[id])])) }
}

function comparing(id: OperationId, handler: Handler): Handler {
  return (input, call) => {
    const task = handler(input, call)
    if (isRefusal(task)) return task
    const compared: Task = async () => {
      const result = await task()
      if (isRefusal(result) || 'accepted' in result) return result
      const { data } = result.body(result.units) as { readonly data: unknown }
      call.ignore(findChangedReadOnlyField(id, (input as { readonly body: unknown }).body, data))
      return result
    }
    return Object.assign(compared, task)
  }
}
