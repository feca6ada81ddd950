// The bounds of a message before the SDK reads it. The SDK checks `_meta` and the client's capabilities recursively, without a bound and
// outside the queue for long bodies: deep values overflow the stack, and wide values block the thread.

/** Nested objects and arrays. The deepest valid arguments, those with an area, have about ten levels. */
export const MAX_DEPTH = 64
/** Bytes of a message without a tool's arguments, which the SDK does not check. Clients send about 500 bytes. */
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

/** The fault of a message as a whole. undefined: none. @param size bytes of the message as it was sent */
export function faultOfShape(message: unknown, size: number): ShapeFault | undefined {
  if (isTooDeep(message)) return TOO_DEEP
  if (size <= MAX_ENVELOPE_BYTES) return undefined
  return Buffer.byteLength(JSON.stringify(withoutArguments(message))) > MAX_ENVELOPE_BYTES
    ? TOO_LARGE
    : undefined
}

/** Goes level by level, without recursion. */
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
