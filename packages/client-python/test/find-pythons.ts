// The Pythons of this machine: those on the PATH, and those that pyenv and uv keep in folders of their own.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

export interface FoundPython {
  /** The path of the interpreter. */
  readonly path: string
  /** For example `3.10`. */
  readonly version: string
}

/** The client supports this version and newer ones. */
const OLDEST_MINOR = 10
const VERSION_SCRIPT = 'import ensurepip, sys; print(*sys.version_info[:2], sys.version_info.releaselevel)'

/** Released versions that the client supports and that can make a virtual environment, the oldest first, one of each. */
export function findPythons(): FoundPython[] {
  const { PATH = '', PYENV_ROOT = join(homedir(), '.pyenv'), UV_PYTHON_INSTALL_DIR } = process.env
  const kept = [
    join(PYENV_ROOT, 'versions'),
    UV_PYTHON_INSTALL_DIR ?? join(homedir(), '.local/share/uv/python'),
  ]
  const onPath = PATH.split(delimiter)
    // A shim of pyenv only runs versions that are chosen; the versions themselves are below.
    .filter((folder) => folder && !folder.includes('shims'))
    .flatMap((folder) => namesIn(folder, /^python3(\.\d+)?$/).map((name) => join(folder, name)))
  const inFolders = kept.flatMap((folder) =>
    namesIn(folder, /^(cpython-)?3\.\d+/).map((name) => join(folder, name, 'bin/python3')),
  )
  const paths = new Set([...onPath, ...inFolders].filter(existsSync).map((path) => realpathSync(path)))
  const found = new Map<number, string>()
  for (const path of paths) {
    const { status, stdout } = spawnSync(path, ['-c', VERSION_SCRIPT], { encoding: 'utf8' })
    const [major, minor, level] = status === 0 ? stdout.trim().split(' ') : []
    if (major === '3' && Number(minor) >= OLDEST_MINOR && level === 'final' && !found.has(Number(minor)))
      found.set(Number(minor), path)
  }
  return [...found]
    .sort(([one], [other]) => one - other)
    .map(([minor, path]) => ({ path, version: `3.${minor}` }))
}

function namesIn(folder: string, pattern: RegExp): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => pattern.test(name)) : []
}
