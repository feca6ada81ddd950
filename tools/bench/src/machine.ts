// Describes the machine that produced the figures, because figures of different machines cannot be compared.

import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

export interface Machine {
  readonly cores: number
  readonly cpu: string
  readonly memoryGb: number
  readonly system: string
  readonly node: string
  postgres: string | null
  /** Of the last minute, when the run began and when it ended: what else the machine was doing counts here too. */
  readonly loadBefore: number
  loadAfter: number | null
}

export function describeMachine(): Machine {
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    system: `${process.platform} ${process.arch}`,
    node: process.version,
    postgres: null,
    loadBefore: round(loadavg()[0]!),
    loadAfter: null,
  }
}

export function noteLoadAfter(machine: Machine): void {
  machine.loadAfter = round(loadavg()[0]!)
}

export function machineLines(machine: Machine): string[] {
  const { cores, cpu, memoryGb, system, node, postgres, loadBefore, loadAfter } = machine
  return [
    `${cores} cores, ${cpu}, ${memoryGb} GB, ${system}; Node ${node}, PostgreSQL ${postgres ?? 'not started'}`,
    `load average ${loadBefore} before, ${loadAfter ?? '?'} after (idle is 0; the bench itself makes about 2)`,
  ]
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
