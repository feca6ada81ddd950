// The bounds of a message that the SDK reads. The SDK checks `_meta` and the capabilities of a client by recursion, without a bound,
// and outside of the line for long bodies: deep ones overflow the stack, and wide ones block the thread.

/** Objects and lists inside one another. The deepest arguments are those with an area, which have about ten. */
export const MAX_DEPTH = 64
/** Of a message without the arguments of a tool, which the SDK does not check. Clients send about 500 bytes. */
const MAX_ENVELOPE_BYTES = 16_384

export interface ShapeFault {
  readonly status: 400 | 413
  readonly message: string
}

const TOO_DEEP: ShapeFault = {
  status: 400,
  message: `The message has more than ${MAX_DEPTH} objects or lists inside one another.`,
}
const TOO_LARGE: ShapeFault = {
  status: 413,
  message: `The message is larger than ${MAX_ENVELOPE_BYTES} bytes without the arguments of a tool.`,
}

/**
 * What is wrong with a message as a whole. undefined: nothing.
 *
 * @param size of the message as it was sent, in bytes
 */
export function faultOfShape(message: unknown, size: number): ShapeFault | undefined {
  if (isTooDeep(message)) return TOO_DEEP
  if (size <= MAX_ENVELOPE_BYTES) return undefined
  return Buffer.byteLength(JSON.stringify(withoutArguments(message))) > MAX_ENVELOPE_BYTES
    ? TOO_LARGE
    : undefined
}

/** One level after the other, without recursion. */
function isTooDeep(message: unknown): boolean {
  let level = [message].filter(isContainer)
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true
    const inner: object[] = []
    for (const container of level) {
      for (const value of Object.values(container)) if (isContainer(value)) inner.push(value)
    }
    level = inner
  }
  return false
}

function withoutArguments(message: unknown): unknown {
  if (!isToolCall(message) || !isContainer(message.params) || Array.isArray(message.params)) return message
  return { ...message, params: { ...message.params, arguments: undefined } }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

export interface ToolCallMessage {
  readonly params?: unknown
}

export function isToolCall(message: unknown): message is ToolCallMessage {
  return (message as { readonly method?: unknown } | null)?.method === 'tools/call'
}
