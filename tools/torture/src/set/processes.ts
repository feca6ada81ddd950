// Other processes, looked at and signalled by their pid: PostgreSQL's belong to the server, not to us.

import { readdirSync, readFileSync } from 'node:fs'

/** The process and all that descend from it. Linux only. */
export function familyOf(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = parentOf(name)
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const family = [pid]
  for (let at = 0; at < family.length; at++) family.push(...(children.get(family[at]!) ?? []))
  return family
}

function parentOf(pid: string): number | undefined {
  try {
    // The name of the program is in brackets and may hold anything.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1])
  } catch {
    return undefined
  }
}

/** False when there is no such process any more. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
