// The identity of a process, in a form that another process can check after its death. A killed process
// leaves a lease behind; a successor on the same machine need not wait for its end if it can see that the process is gone.

import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

export interface ProcessIdentity {
  readonly host: string
  readonly pid: number
  /** Where that pid means anything: one boot of one machine, one namespace. null where the system does not say. */
  readonly realm: string | null
  /** When it began, in ticks of the machine: pids are used again. */
  readonly began: string | null
}

export function identifyThisProcess(): ProcessIdentity {
  return { host: hostname(), pid: process.pid, realm: readRealm(), began: readBegin(process.pid) ?? null }
}

/** Whether that process has certainly ended. False when it cannot be known from here. */
export function isKnownDead({ pid, realm, began }: ProcessIdentity): boolean {
  if (realm === null || began === null || realm !== readRealm()) return false
  try {
    // Where other users' processes are hidden (hidepid), one that is not seen may live. The first one is always there.
    if (readBegin(1) === undefined) return false
    return readBegin(pid) !== began
  } catch {
    return false
  }
}

export function describeProcess({ pid, host }: ProcessIdentity): string {
  return `process ${pid} on ${host}`
}

function readRealm(): string | null {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

/** undefined: there is no such process, or it is one that has ended and waits to be noticed. */
function readBegin(pid: number): string | undefined {
  try {
    // The name, in parentheses, may contain anything; after it come the state (field 3) and, 19 on, the begin (field 22).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
