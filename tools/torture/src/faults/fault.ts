import type { FaultProxy } from '../fault-proxy.ts'
import type { Provider } from '../provider/start.ts'
import type { Random } from '../random.ts'
import type { TortureSet } from '../set/torture-set.ts'

/** What faults are done to. */
export interface Victim {
  readonly set: TortureSet
  readonly provider: Provider
  readonly proxies: readonly FaultProxy[]
}

/**
 * Does something to the service and undoes it, whatever happens. Resolves with a few words on it, when the service is
 * well again or will be by itself. Throws when the service does not recover in the time that it promises.
 */
export type Fault = (victim: Victim, random: Random) => Promise<string>
