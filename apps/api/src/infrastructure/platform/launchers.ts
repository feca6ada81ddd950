// Finds the package managers that started this process. `npx … start` runs npm, a shell, pnpm, another shell, and then the
// service. npm ends at SIGTERM and passes the signal only to the first shell, so the service would not receive it.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface Ancestor {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

/** More than npm, pnpm and their shells ever need. */
const MAX_ANCESTORS = 12
const CHECK_INTERVAL_MS = 250
const PACKAGE_MANAGER = /(?:^|[\s/])(?:npm|npx|pnpm|yarn)(?:-cli)?(?:\.c?js)?(?=\s|$)/
const SHELL = /^(?:\S*\/)?(?:ba|da|z|k|a)?sh(?:\s|$)/

/**
 * Calls `onLost` once, as soon as one of the package managers and shells that started this process has ended. Does nothing for a
 * process that was started in another way, such as by a service manager or in a container.
 */
export function watchLaunchers(onLost: () => void): void {
  const launchers = findLaunchers(process.ppid).map(({ pid }) => pid)
  if (launchers.length === 0) return
  const watching = setInterval(() => {
    if (launchers.every(isAlive)) return
    clearInterval(watching)
    onLost()
  }, CHECK_INTERVAL_MS)
  watching.unref()
}

/** The ancestors from the parent to the outermost package manager, as long as all are package managers or shells. */
export function findLaunchers(
  pid: number,
  find: (pid: number) => Ancestor | undefined = findProcess,
): Ancestor[] {
  const chain: Ancestor[] = []
  let outermost = 0
  for (let next = find(pid); next && chain.length < MAX_ANCESTORS; next = find(next.parent)) {
    const isManager = PACKAGE_MANAGER.test(next.command)
    if (!isManager && !SHELL.test(next.command)) break
    chain.push(next)
    if (isManager) outermost = chain.length
  }
  return chain.slice(0, outermost)
}

/**
 * The command that a person runs for `lotline`: the one of README.md in a checkout, and a program on PATH elsewhere (an image or
 * a system service). A package manager as launcher indicates a checkout.
 */
export function lotlineCommand(launchers: readonly Ancestor[] = findLaunchers(process.ppid)): string {
  return launchers.length > 0 ? 'npx -y pnpm@12.21.0 --silent lotline' : 'lotline'
}

/** Returns undefined if the process cannot be read. */
function findProcess(pid: number): Ancestor | undefined {
  if (pid <= 1) return undefined
  try {
    if (process.platform === 'linux') {
      // The name in parentheses may contain any character.
      const parent = Number(/\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))![1])
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return { pid, parent, command }
    }
    const line = execFileSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    const [, parent, command] = /^(\d+)\s+(.*)$/s.exec(line)!
    return { pid, parent: Number(parent), command: command! }
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
