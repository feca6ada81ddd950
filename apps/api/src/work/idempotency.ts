// Calls that create something once, with their Idempotency-Key.

export { ANSWER_GONE, fingerprintOf } from './idempotency/idempotency-keys.ts'
export { createRunOnce, type OnceCall, RepeatedCall, type RunOnce } from './idempotency/run-once.ts'
