import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../random.ts'

/** A while: up to twice so many milliseconds. */
export function pause(random: Random, aboutMs: number): Promise<void> {
  return sleep(random.int(1, aboutMs * 2))
}
