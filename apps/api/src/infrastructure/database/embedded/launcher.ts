// Runs PostgreSQL's programs on this machine. PostgreSQL refuses to run as root, and should not outlive the process that started
// it, even if that one is killed. `setpriv` (util-linux) handles both.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { StartError } from '../queryable.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'

/** Runs PostgreSQL's programs as a user they accept. */
export interface Launcher {
  /** The command that runs `program`. */
  commandLine(program: string, args: readonly string[]): { readonly file: string; readonly args: string[] }
  /** The required owner of the data files; undefined: the user that creates them. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined
  /** PostgreSQL's version, such as `18.4`. */
  readonly version: string
}

export interface LauncherOptions {
  readonly binaries: PostgresBinaries
  /** Owner of the data files that are there already. */
  readonly existingOwner?: { readonly uid: number; readonly gid: number } | undefined
  /** Whether PostgreSQL stops when the process that started it is killed. Only tests turn it off. */
  readonly dieWithStarter?: boolean | undefined
}

/** PostgreSQL's programs do not inherit the environment, because it has secrets, and variables that would affect them. */
export const CHILD_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' } as const

// The user "nobody": it owns nothing else, and needs no entry in the list of users.
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
      'PostgreSQL does not run as root, and setpriv (util-linux) is not installed to change the user: install it, run Lotline as another user, or set DATABASE_URL.',
    )
  }
  const owner = options.existingOwner ?? UNPRIVILEGED
  if (owner.uid === 0) {
    throw new StartError(
      `The embedded database's files belong to root, but PostgreSQL does not run as root: chown -R ${UNPRIVILEGED.uid}:${UNPRIVILEGED.gid} the postgres/cluster directory in DATA_DIR.`,
    )
  }
  // dac_override gives access to parent directories that root may have closed to others.
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

// Reading the version checks that the prefix works and the program runs. A program for glibc does not run with another C library.
function tryVersion(prefix: readonly string[], binaries: PostgresBinaries) {
  const [file = binaries.postgres, ...args] = [...prefix, binaries.postgres, '--version']
  const run = spawnSync(file, args, { encoding: 'utf8', env: CHILD_ENVIRONMENT })
  const version = /\(PostgreSQL\) (\d+(\.\d+)?)/.exec(run.stdout ?? '')?.[1]
  const problem = run.stderr?.trim().split('\n').at(-1) || run.error?.message || `exit code ${run.status}`
  return { version, problem }
}
