// Memory of processes as Linux accounts for it.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Proportional set size in bytes: pages that are shared count in parts. Undefined where the system does not tell. */
export async function findPss(pid: number): Promise<number | undefined> {
  return findKilobytes(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+) kB/m)
}

/** Resident set size in bytes. */
export async function findRss(pid: number): Promise<number | undefined> {
  return findKilobytes(`/proc/${pid}/status`, /^VmRSS:\s+(\d+) kB/m)
}

/** The first process of the embedded PostgreSQL under a data directory. */
export async function getPostgresPid(dataDir: string): Promise<number> {
  const file = await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')
  return Number(file.split('\n')[0])
}

/** The process and its children. */
export async function findFamily(pid: number): Promise<number[]> {
  const family = [pid]
  for (const entry of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '')
    // Behind the name, which may hold anything: state, then parent.
    if (Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]) === pid) family.push(Number(entry))
  }
  return family
}

async function findKilobytes(path: string, pattern: RegExp): Promise<number | undefined> {
  const kilobytes = pattern.exec(await readFile(path, 'utf8').catch(() => ''))?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}
