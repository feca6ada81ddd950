// Idempotent creation: calls that create something at most once per Idempotency-Key.

export { ANSWER_GONE, fingerprintOf } from './idempotency/idempotency-keys.ts'
export { createRunOnce, type OnceCall, RepeatedCall, type RunOnce } from './idempotency/run-once.ts'
