// The directory of PostgreSQL's socket: beside the cluster, or, if that path is too long for a socket, in a temporary directory
// whose name is stored beside the cluster. Only this user may enter it, which is the whole access control of the embedded
// database.

import { lstat, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../queryable.ts'

// sun_path holds 108 bytes on Linux and 104 elsewhere, its final zero included.
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103
const SOCKET_NAME = '.s.PGSQL.5432'

/** The socket directory of a running PostgreSQL; undefined if there is none yet. */
export async function findSocketDirectory(place: string): Promise<string | undefined> {
  if (fitsPathLimit(place)) return place
  const noted = await readFile(socketNotePath(place), 'utf8').catch(() => undefined)
  return noted !== undefined && (await isOursAlone(noted)) ? noted : undefined
}

/** Creates the socket directory if needed. Remove a temporary one with `removeSocketDirectory`. */
export async function makeSocketDirectory(place: string): Promise<string> {
  const found = await findSocketDirectory(place)
  if (found !== undefined) return found
  // Guests of the last owner know it by this name. mkdir refuses a name that another user has created since.
  const noted = await readFile(socketNotePath(place), 'utf8').catch(() => undefined)
  if (noted !== undefined && fitsPathLimit(noted) && (await mkdir(noted, { mode: 0o700 }).then(yes, no)))
    return noted

  const parent = [tmpdir(), '/tmp'].find((directory) => fitsPathLimit(join(directory, 'lotline-xxxxxx')))
  if (parent === undefined) {
    throw new StartError(
      'The paths of DATA_DIR and of the temporary directory are too long for a socket. Name a DATA_DIR with a shorter path.',
    )
  }
  const made = await mkdtemp(join(parent, 'lotline-'))
  await writeFile(socketNotePath(place), made)
  return made
}

/** Removes a temporary directory, if there is one. Its name stays stored for the next owner. */
export async function removeSocketDirectory(place: string): Promise<void> {
  const directory = await findSocketDirectory(place)
  if (directory !== undefined && directory !== place) await rm(directory, { recursive: true, force: true })
}

const yes = () => true
const no = () => false

function fitsPathLimit(directory: string): boolean {
  return Buffer.byteLength(join(directory, SOCKET_NAME)) <= MAX_PATH_BYTES
}

// In a directory that everyone can write to, another user could have reused the name.
async function isOursAlone(directory: string): Promise<boolean> {
  const found = await lstat(directory).catch(() => undefined)
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o077) === 0
}

function socketNotePath(place: string): string {
  return join(place, 'socket-directory')
}
