// The identity of a process, which other processes can check after its death. A killed process leaves a lease behind; a successor
// on the same machine need not wait for its expiry if it can see that the process has ended.

import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

export interface ProcessIdentity {
  readonly host: string
  readonly pid: number
  /** The scope of the pid: one boot of one machine, one namespace. null if the system does not expose it. */
  readonly realm: string | null
  /** The start time of the process in clock ticks. It distinguishes processes that reuse a pid. */
  readonly began: string | null
}

export function identifyThisProcess(): ProcessIdentity {
  return {
    host: hostname(),
    pid: process.pid,
    realm: readPidNamespace(),
    began: readStartTime(process.pid) ?? null,
  }
}

/** Whether the process has certainly ended. False if that cannot be determined here. */
export function isKnownDead({ pid, realm, began }: ProcessIdentity): boolean {
  if (realm === null || began === null || realm !== readPidNamespace()) return false
  try {
    // If other users' processes are hidden (hidepid), an invisible one may live. Process 1 always exists.
    if (readStartTime(1) === undefined) return false
    return readStartTime(pid) !== began
  } catch {
    return false
  }
}

export function describeProcess({ pid, host }: ProcessIdentity): string {
  return `process ${pid} on ${host}`
}

function readPidNamespace(): string | null {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

/** Returns undefined if the process does not exist or is a zombie. */
function readStartTime(pid: number): string | undefined {
  try {
    // The name in parentheses may contain any character. After it come the state (field 3) and, 19 fields later, the start time
    // (field 22).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
