// How PostgreSQL's programs are run on this machine. Two things need care: PostgreSQL refuses to run as root, and it
// should not outlive the process that started it, even when that one is killed. `setpriv` (util-linux) does both.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { StartError } from '../queryable.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'

/** Runs PostgreSQL's programs as a user they accept. */
export interface Launcher {
  /** What to spawn in order to run `program`. */
  commandLine(program: string, args: readonly string[]): { readonly file: string; readonly args: string[] }
  /** Who must own the data files; undefined: the user that creates them. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined
  /** PostgreSQL's version, such as `18.4`. */
  readonly version: string
}

export interface LauncherOptions {
  readonly binaries: PostgresBinaries
  /** Owner of the data files that are there already. */
  readonly existingOwner?: { readonly uid: number; readonly gid: number } | undefined
  /** Whether PostgreSQL stops when its starter is killed. Off only in tests of what happens otherwise. */
  readonly dieWithStarter?: boolean | undefined
}

/** PostgreSQL's programs see nothing of our environment: it holds secrets, and variables that would change them. */
export const CHILD_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' } as const

// "nobody": it owns nothing else, and needs no entry in the list of users.
const UNPRIVILEGED = { uid: 65534, gid: 65534 }

const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv', '/run/current-system/sw/bin/setpriv']

/** @throws {StartError} when PostgreSQL's programs cannot run here. */
export function chooseLauncher(options: LauncherOptions): Launcher {
  const setpriv = SETPRIV.find((path) => existsSync(path))
  const deathSignal = options.dieWithStarter === false ? [] : ['--pdeathsig', 'INT']
  if (process.getuid?.() === 0) return launchAsRoot(options, setpriv, deathSignal)

  // Without setpriv (macOS), PostgreSQL may outlive a killed starter; the next start finds and stops it.
  const wrapped = setpriv === undefined ? undefined : [setpriv, ...deathSignal]
  const prefix =
    wrapped !== undefined && tryVersion(wrapped, options.binaries).version !== undefined ? wrapped : []
  return launcher(prefix, undefined, options.binaries)
}

function launchAsRoot(
  options: LauncherOptions,
  setpriv: string | undefined,
  deathSignal: string[],
): Launcher {
  if (setpriv === undefined) {
    throw new StartError(
      'PostgreSQL does not run as root, and setpriv (util-linux), which would change the user, is not installed: install it, run as another user, or set DATABASE_URL.',
    )
  }
  const owner = options.existingOwner ?? UNPRIVILEGED
  if (owner.uid === 0) {
    throw new StartError(
      `The embedded database's files belong to root, but PostgreSQL does not run as root: chown -R ${UNPRIVILEGED.uid}:${UNPRIVILEGED.gid} the postgres/cluster directory in DATA_DIR.`,
    )
  }
  // dac_override lets it pass the directories above its own, which root may well have closed to others.
  const identity = [
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
  ]
  return launcher([setpriv, ...identity, ...deathSignal], owner, options.binaries)
}

function launcher(prefix: readonly string[], owner: Launcher['owner'], binaries: PostgresBinaries): Launcher {
  const { version, problem } = tryVersion(prefix, binaries)
  if (version === undefined) {
    throw new StartError(
      `The embedded database does not run on this system (${problem}): set DATABASE_URL to a PostgreSQL server.`,
    )
  }
  return {
    owner,
    version,
    commandLine(program, args) {
      const [file = program, ...rest] = [...prefix, program, ...args]
      return { file, args: rest }
    },
  }
}

// Asking for the version proves at once that the prefix is accepted and that the program runs: built for glibc, it
// does not on a system with another C library.
function tryVersion(prefix: readonly string[], binaries: PostgresBinaries) {
  const [file = binaries.postgres, ...args] = [...prefix, binaries.postgres, '--version']
  const run = spawnSync(file, args, { encoding: 'utf8', env: CHILD_ENVIRONMENT })
  const version = /\(PostgreSQL\) (\d+(\.\d+)?)/.exec(run.stdout ?? '')?.[1]
  const problem = run.stderr?.trim().split('\n').at(-1) || run.error?.message || `exit code ${run.status}`
  return { version, problem }
}
