// Sends the calls that are generated from the contract's examples.

import { operations } from '@lotline/contract'
import { type ExampleCall, exampleCallPath } from '@lotline/contract/example-calls'
import type { RequestOptions, TestResponse, TestServer } from './test-server.ts'

export {
  type ExampleCall,
  everyExampleCall,
  exampleCallPath,
  minimalCall,
  requiredQueryParameters,
} from '@lotline/contract/example-calls'

export function sendCall(
  server: TestServer,
  call: ExampleCall,
  sent: RequestOptions = {},
): Promise<TestResponse> {
  return server.send(operations[call.id].method, exampleCallPath(call), {
    ...(call.body !== undefined && { body: call.body }),
    ...sent,
  })
}
