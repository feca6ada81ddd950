// Sending the calls that are made from the contract's own examples.

import { operations } from '@lotline/contract'
import { type ExampleCall, pathOf } from '@lotline/contract/example-calls'
import type { Received, Sent, TestServer } from './test-server.ts'

export {
  type ExampleCall,
  everyExampleCall,
  minimalCall,
  pathOf,
  requiredQueryParameters,
} from '@lotline/contract/example-calls'

export function sendCall(server: TestServer, call: ExampleCall, sent: Sent = {}): Promise<Received> {
  return server.send(operations[call.id].method, pathOf(call), {
    ...(call.body !== undefined && { body: call.body }),
    ...sent,
  })
}
