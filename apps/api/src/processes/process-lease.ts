/** A right that this process holds for a while and may lose to another process. */
export interface ProcessLease {
  readonly held: boolean
  /** How often it was lost. Work that began under an earlier count was not protected all the time. */
  readonly losses: number
}

/** The lease of a process that is alone on its database. */
export const SOLE_PROCESS: ProcessLease = { held: true, losses: 0 }
