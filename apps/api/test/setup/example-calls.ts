// Sends the calls that are generated from the contract's examples.

import { operations } from '@lotline/contract'
import { type ExampleCall, pathOf } from '@lotline/contract/example-calls'
import type { RequestOptions, TestResponse, TestServer } from './test-server.ts'

export {
  type ExampleCall,
  everyExampleCall,
  minimalCall,
  pathOf,
  requiredQueryParameters,
} from '@lotline/contract/example-calls'

export function sendCall(
  server: TestServer,
  call: ExampleCall,
  sent: RequestOptions = {},
): Promise<TestResponse> {
  return server.send(operations[call.id].method, pathOf(call), {
    ...(call.body !== undefined && { body: call.body }),
    ...sent,
  })
}
