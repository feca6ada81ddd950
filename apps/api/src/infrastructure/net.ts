// Connections to addresses that customers choose: checked, and dialed at exactly the address that was checked.

export {
  type Connection,
  createReceiverConnections,
  type ReceiverConnections,
  type ReceiverResponse,
} from './net/connections.ts'
export { connectDirectly, dial, type Network } from './net/dial.ts'
export { NoResponse } from './net/no-response.ts'
export { parseWebhookUrl } from './net/webhook-url.ts'
