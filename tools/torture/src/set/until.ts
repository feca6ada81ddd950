import { setTimeout as sleep } from 'node:timers/promises'
import { nowMs } from '../clock.ts'

/** Waits until it is so. Returns whether it came to that within the bound. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  boundMs: number,
  everyMs = 20,
): Promise<boolean> {
  for (const end = nowMs() + boundMs; nowMs() < end; await sleep(everyMs)) {
    if (await isSo()) return true
  }
  return await isSo()
}
