// The lifecycle of one API call, from its key to its response.

export { refuseSuspended } from './engine/account-checks.ts'
export {
  type AuthenticationParts,
  authenticate,
  type FailedKeyCheck,
  refuseGuesser,
} from './engine/authenticate.ts'
export { Call, CallExpired, type CallFacts, ClientDisconnected } from './engine/call.ts'
export { createEngine, type Engine, type EngineDeps } from './engine/engine.ts'
export { toErrorRefusal } from './engine/error-refusal.ts'
export { statusOfCode } from './engine/problem.ts'
export { createRequestId } from './engine/request-id.ts'
export {
  type BodyParts,
  type CallResponse,
  CLIENT_DISCONNECTED_RESPONSE,
  refusalResponse,
  textOfBody,
} from './engine/response.ts'
export { answersHead, refuseUnknownPath, wrongMethods } from './engine/routes.ts'
export { BODY_LIMIT_BYTES, type BodyBytes, judgeBody } from './engine/sent-body.ts'
