// Refusals. A root file of its own: the domain refuses, too, and this one loads nothing that reads or waits.

export {
  isRefusal,
  type Refusal,
  refuse,
  refuseAboveKeyLimit,
  refuseAboveLimit,
  refuseAt,
  refuseFor,
  refuseInput,
} from './platform/refusal.ts'
