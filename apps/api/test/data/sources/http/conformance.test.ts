// The http provider over the reference provider, alone and with its resilience.

import { createHttpProvider } from '../../../../src/data/sources/http/http-provider.ts'
import { makeResilient } from '../../../../src/data/sources/resilience/resilient-provider.ts'
import { startReferenceProvider } from '../../../setup/reference-provider/start.ts'
import { describeProvider } from '../conformance.ts'

describeProvider('http', async (records) => {
  const reference = await startReferenceProvider({ records })
  return { provider: createHttpProvider({ url: reference.url }), close: reference.stop }
})

describeProvider('guarded http', async (records) => {
  const reference = await startReferenceProvider({ records })
  const provider = makeResilient(createHttpProvider({ url: reference.url }), { timeoutMs: 20_000 })
  return { provider, close: reference.stop }
})
