// The files of the safety journal in DATA_DIR: one for each month, with a line of JSON for each entry. They are only appended to, by
// every process that has this DATA_DIR, without a lock. Each line has a checksum, so a line that a crash or a full disk cut off is
// recognized and skipped. After the entries of a copy follows a line that says how far it came, so a copy that was cut off is repeated.

import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { syncDirectory } from '../embedded/cluster.ts'
import { errorCode } from '../queryable.ts'

/** The folder in DATA_DIR. */
export const JOURNAL_FOLDER = 'safety-journal'

/** Files of this many months are kept, the present one included. No older backup is protected. */
const MONTHS_KEPT = 14

/** A change that a restore must not undo, or that it loses. Its other facts depend on its kind (migrations/0022_safety_journal.sql). */
export interface JournalEntry {
  /** The database that wrote it; a restore begins another one. */
  readonly era: string
  /** Entries about the same thing are numbered in the order of the changes, within the era. */
  readonly id: number
  /** ISO 8601. */
  readonly at: string
  readonly kind: string
  readonly [fact: string]: unknown
}

/** How far a copy came. */
export interface CopiedTo {
  readonly era: string
  /** The oid of the database in its cluster. */
  readonly database: number
  /** The snapshot of PostgreSQL that the copy read: all entries that it shows are in the files. */
  readonly snapshot: string
}

type JournalLine = JournalEntry | { readonly copied_to: CopiedTo }

/** Bytes at the end of a file in which the last line of a copy usually is. */
const TAIL_BYTES = 64 * 1024

/** Appends the entries of a copy. After it returns, they are on disk. Starts the file of a new month and removes the oldest ones. */
export async function appendToJournal(
  folder: string,
  entries: readonly JournalEntry[],
  copiedTo: CopiedTo | undefined,
  now: Date,
): Promise<void> {
  const lines: readonly JournalLine[] = [...entries, ...(copiedTo ? [{ copied_to: copiedTo }] : [])]
  const file = join(folder, `${now.toISOString().slice(0, 7)}.ndjson`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const handle = await open(file, 'a+', 0o600)
  try {
    const { size } = await handle.stat()
    const last = size === 0 ? undefined : (await handle.read(Buffer.alloc(1), 0, 1, size - 1)).buffer
    const start = last === undefined || last[0] === 10 ? '' : '\n'
    await handle.appendFile(start + lines.map(lineOf).join(''))
    await handle.sync()
    if (size === 0) {
      await syncDirectory(folder)
      await syncDirectory(dirname(folder))
      await removeOldFiles(folder, now)
    }
  } finally {
    await handle.close()
  }
}

async function removeOldFiles(folder: string, now: Date): Promise<void> {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (MONTHS_KEPT - 1)))
  const oldest = `${first.toISOString().slice(0, 7)}.ndjson`
  for (const name of await filesIn(folder)) if (name < oldest) await rm(join(folder, name), { force: true })
}

/** All entries of a folder in the order in which they were copied. Some may be there twice. A folder that does not exist has none. */
export async function readJournal(folder: string): Promise<{
  readonly entries: readonly JournalEntry[]
  /** Lines that cannot be read. */
  readonly damaged: number
}> {
  const entries: JournalEntry[] = []
  let damaged = 0
  for (const name of await filesIn(folder)) {
    for (const text of (await readFile(join(folder, name), 'utf8')).split('\n')) {
      if (text === '') continue
      const line = readLine(text)
      if (line === undefined) damaged++
      else if (!('copied_to' in line)) entries.push(line as JournalEntry)
    }
  }
  return { entries, damaged }
}

/** How far the last complete copy came. undefined: there is none. */
export async function findCopiedTo(folder: string): Promise<CopiedTo | undefined> {
  for (const name of (await filesIn(folder)).reverse()) {
    const file = join(folder, name)
    const found = lastCopyIn(await readTail(file)) ?? lastCopyIn(await readFile(file, 'utf8'))
    if (found !== undefined) return found
  }
  return undefined
}

function lastCopyIn(text: string): CopiedTo | undefined {
  for (const one of text.split('\n').reverse()) {
    const line = one.startsWith('{"copied_to"') ? readLine(one) : undefined
    if (line && 'copied_to' in line) return line.copied_to as CopiedTo
  }
  return undefined
}

async function readTail(file: string): Promise<string> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES))
    await handle.read(bytes, 0, bytes.length, size - bytes.length)
    return bytes.toString()
  } finally {
    await handle.close()
  }
}

/** The files of a folder, oldest month first. */
async function filesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => /^\d{4}-\d{2}\.ndjson$/.test(name)).sort()
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return []
    throw error
  }
}

function lineOf(line: JournalLine): string {
  const text = JSON.stringify(line)
  return `${text.slice(0, -1)},"crc":"${checksumOf(text)}"}\n`
}

/** undefined: the line is damaged. */
function readLine(line: string): JournalLine | undefined {
  const [, text, checksum] = /^(.*),"crc":"([0-9a-f]{8})"\}$/.exec(line) ?? []
  return text !== undefined && checksumOf(`${text}}`) === checksum
    ? (JSON.parse(`${text}}`) as JournalLine)
    : undefined
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}
