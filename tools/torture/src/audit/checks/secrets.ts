// No secret stands anywhere in the open: not in what the processes print, not in the database's columns, not in the bytes
// of its files, not in an answer. Keys are looked for in part, too.

import { createReadStream } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { CANARY } from '../../clients/is-hostile.ts'
import type { Check } from '../check.ts'
import type { Evidence } from '../evidence.ts'

/** So much of a secret is as bad as all of it. */
const PIECE = 16
/** What a secret begins with, or has in it: a text with none of these has no secret. */
const MARKS = ['lot_', 'whsec_', '-canary-']

/** Which secrets the text contains. */
type Finder = (text: string) => string[]

function finderOf({ secrets }: Pick<Evidence, 'secrets'>): Finder {
  const pieces = secrets.flatMap(({ what, text }) => {
    const bare = text.replace(/^(lot_(test_)?(c\d+_)?|whsec_)/, '')
    return [bare.slice(0, PIECE), bare.slice(-PIECE)].map((piece) => ({ what, piece }))
  })
  return (text) => pieces.flatMap(({ what, piece }) => (text.includes(piece) ? what : []))
}

export const noSecretInOutput: Check = async (evidence, tell) => {
  const find = finderOf(evidence)
  let lines = 0
  for (const output of evidence.outputs) {
    for await (const line of createInterface({ input: createReadStream(output) })) {
      lines++
      for (const what of find(line)) tell(`${what} is in ${output}: ${line.slice(0, 300)}`)
      if (line.includes(CANARY)) tell(`what a caller wrote is in ${output}: ${line.slice(0, 300)}`)
    }
  }
  return lines
}

export const noSecretInAnswers: Check = ({ records }, tell) => {
  for (const { leaks, call, path, status } of records.answer) {
    if (leaks) tell(`the answer to call ${call}, ${path} → ${status}, has ${leaks} in it`)
  }
  return records.answer.length
}

const TABLES = `
  select c.oid::regclass::text as name, c.reltuples from pg_class c
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`

export const noSecretInDatabase: Check = async (evidence, tell) => {
  const find = finderOf(evidence)
  const whole = evidence.secrets.find(({ what }) => what === 'secretsKey')?.text ?? ''
  const hex = [...evidence.hookSecrets].map(([hook, text]) => ({
    hook,
    hex: Buffer.from(text.replace('whsec_', ''), 'base64').toString('hex'),
  }))
  const tables = await evidence.query<{ name: string }>(TABLES)
  let looked = 0
  for (const { name } of tables) {
    const [counted] = await evidence.query<{ rows: number }>(`select count(*) as rows from ${name}`)
    looked += counted?.rows ?? 0
    // The marks are looked for by the database, so that only what is suspect comes over.
    const suspect = await evidence.query<{ line: string }>(
      `select x::text as line from ${name} x where exists (
         select from unnest($1::text[]) as mark where strpos(x::text, mark) > 0)`,
      [[...MARKS, whole]],
    )
    for (const { line } of suspect) {
      for (const what of find(line)) tell(`${what} is in the table ${name}`)
    }
  }
  for (const { line } of await evidence.query<{ line: string }>(
    'select s::text as line from webhook_secrets s',
  )) {
    for (const { hook, hex: bytes } of hex) {
      if (line.includes(bytes)) tell(`the secret of ${hook} lies unsealed in the table webhook_secrets`)
    }
  }
  return looked
}

export const noSecretInFiles: Check = async (evidence, tell) => {
  let files = 0
  for (const directory of evidence.dataDirectories) {
    for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
      // The key that seals is kept here on purpose, where no setting brings it.
      if (!entry.isFile() || entry.name === 'secrets.key') continue
      files++
      const path = join(entry.parentPath, entry.name)
      for (const what of await findInFile(path, evidence)) tell(`${what} is in ${path}`)
    }
  }
  return files
}

/** So many characters after a mark tell one secret from all others, also after the `test_c7_` of a key. */
const HEAD = 24
const LONGEST = 100

/** Reads the file once, and not once for each secret: PostgreSQL's files are full of words that end like our marks. */
async function findInFile(path: string, { secrets }: Evidence): Promise<Set<string>> {
  const heads = new Map<string, string>()
  const whole: { what: string; text: string }[] = []
  for (const secret of secrets) {
    const mark = /^(lot_|whsec_)/.exec(secret.text)?.[0]
    if (mark === undefined) whole.push(secret)
    else heads.set(secret.text.slice(mark.length, mark.length + HEAD), secret.what)
  }
  const found = new Set<string>()
  for await (const bytes of piecesOf(path)) {
    for (const { what, text } of whole) if (bytes.includes(text)) found.add(what)
    for (const mark of ['lot_', 'whsec_']) {
      for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
        const what = heads.get(bytes.toString('latin1', at + mark.length, at + mark.length + HEAD))
        if (what !== undefined) found.add(what)
      }
    }
  }
  return found
}

const PIECE_BYTES = 4 * 1024 * 1024
const buffer = Buffer.alloc(PIECE_BYTES)

/** In one buffer, since most of a thousand files are small; each piece begins with the end of the one before. */
async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  let file: FileHandle
  try {
    file = await open(path)
  } catch (error) {
    // PostgreSQL removes files of its own at any time.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  try {
    for (let kept = 0; ; ) {
      const { bytesRead } = await file.read(buffer, kept, PIECE_BYTES - kept)
      if (bytesRead === 0) return
      const end = kept + bytesRead
      yield buffer.subarray(0, end)
      kept = Math.min(LONGEST, end)
      buffer.copyWithin(0, end - kept, end)
    }
  } finally {
    await file.close()
  }
}
