// Rate windows and the queue of each key, in memory or in a store that processes share.

export { createMemoryLimits } from './limits/in-memory.ts'
export { createKeyQueues } from './limits/key-queue.ts'
export {
  type Admission,
  type KeyQueues,
  type Limits,
  LimitsUnavailable,
  type RateWindows,
  type Slot,
} from './limits/limits.ts'
export { type OpenLimitsOptions, openLimits } from './limits/open-limits.ts'
export {
  createWaitingInputs,
  estimateBytes,
  type WaitingInputs,
  WaitingInputsFull,
} from './limits/waiting-inputs.ts'
