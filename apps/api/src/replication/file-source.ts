// A source of kind `file`: NDJSON or CSV on an https server or on this machine, imported when it has changed. Whether it has
// is asked of the server (ETag, Last-Modified), or seen by the size and time of the file. A file of a server is received whole
// before its import begins: only one import runs at a time, and a slow server would keep all others waiting.

import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import type { Database } from '../database/database.ts'
import { importRows, lockImports } from '../ingest/import-listings.ts'
import { parseMapping } from '../ingest/mapping.ts'
import { openFile, unpack } from '../ingest/open-file.ts'
import { readCsv } from '../ingest/read-csv.ts'
import { readNdjson } from '../ingest/read-ndjson.ts'
import { NOTHING_APPLIED, type RunTotal } from './apply-page.ts'
import {
  type ConnectedSource,
  type FileSettings,
  readCredential,
  renewLease,
  type SourceLease,
} from './source-store.ts'
import { FeedFailure } from './upstream.ts'

export interface FileRun {
  readonly database: Database
  readonly lease: SourceLease
  readonly source: ConnectedSource
  readonly settings: FileSettings
  /** Import it, whether it has changed or not. */
  readonly full: boolean
  readonly allowRemovals: number
  /** Of the file as it is sent. Default: 8 GB. */
  readonly maxBytes?: number
  readonly signal: AbortSignal
}

interface OpenedFile {
  /** What it is now; undefined: nothing says when it changes. */
  readonly version: string | undefined
  readonly bytes: AsyncIterable<Buffer>
  close(): Promise<void>
}

/** Until the head of a response, and between two pieces of its body. */
const IDLE_TIMEOUT_MS = 60_000
/** Until the whole file was received. */
const DOWNLOAD_LIMIT_MS = 6 * 3_600_000
const MAX_BYTES = 8 * 1024 * 1024 * 1024
/** Unpacked, a file is at most this many times as long: what packs better is not listings. */
const MAX_UNPACKED = 200

const NOTHING: RunTotal = { ...NOTHING_APPLIED, pages: 0, withdrawn: 0 }

/**
 * Imports the file if it has changed since its last import.
 *
 * @throws {FeedFailure} when it cannot be read.
 * @throws {ImportFailure} as an import from the command line does. Nothing was changed.
 */
export async function importFeedFile(run: FileRun): Promise<RunTotal> {
  const { database, lease, source, settings, allowRemovals } = run
  const known = run.full ? null : source.fileVersion
  const mapping = settings.mapping === undefined ? undefined : parseMapping(settings.mapping, 'the mapping')
  const file = /^https?:/i.test(settings.location)
    ? await openUrl(run, known)
    : await openLocal(settings, known)
  if (file === undefined) return NOTHING
  const { version, bytes } = file
  try {
    const report = await database.transaction(
      async (tx) => {
        await lockImports(tx)
        const rows = mapping ? readCsv(bytes, mapping) : readNdjson(bytes)
        const imported = await importRows(tx, rows, {
          source: source.name,
          ...(settings.complete && { complete: { sources: [source.name], allowRemovals } }),
        })
        await renewLease(tx, lease)
        await tx.query('update connected_sources set file_version = $2 where name = $1', [
          source.name,
          version ?? null,
        ])
        return imported
      },
      { statementTimeoutMs: 0 },
    )
    const { read, inserted, updated, unchanged, rejected, withdrawn } = report
    return { ...NOTHING, read, inserted, updated, unchanged, rejected, withdrawn, pages: 1 }
  } finally {
    await file.close()
  }
}

/** undefined: it has not changed. */
async function openLocal({ location }: FileSettings, known: string | null): Promise<OpenedFile | undefined> {
  const { bytes } = await openFile(location)
  const { size, mtimeMs } = await stat(location)
  const version = `size ${size}, time ${mtimeMs}`
  return version === known ? undefined : { version, bytes, close: async () => {} }
}

/** undefined: it has not changed. */
async function openUrl(
  { settings, signal, maxBytes = MAX_BYTES }: FileRun,
  known: string | null,
): Promise<OpenedFile | undefined> {
  const url = new URL(settings.location)
  const credential = readCredential(settings, undefined)
  const pool = new Pool(url.origin, {
    ...{ allowH2: false, connections: 1, headersTimeout: IDLE_TIMEOUT_MS, bodyTimeout: IDLE_TIMEOUT_MS },
  })
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_LIMIT_MS)])
  try {
    const { statusCode, headers, body } = await pool.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers: {
        'accept-encoding': 'gzip',
        'user-agent': 'lotline',
        ...(known?.startsWith('etag ') && { 'if-none-match': known.slice(5) }),
        ...(known?.startsWith('modified ') && { 'if-modified-since': known.slice(9) }),
        ...(credential.kind === 'token' && { authorization: `Bearer ${credential.token.reveal()}` }),
      },
      signal: bounded,
    })
    // A body that is not read to its end fails when it is destroyed, and nothing listens then.
    body.on('error', () => {})
    const tag = single(headers.etag)
    const modified = single(headers['last-modified'])
    const version =
      tag !== undefined ? `etag ${tag}` : modified !== undefined ? `modified ${modified}` : undefined
    if (statusCode === 304 || (statusCode === 200 && version !== undefined && version === known)) {
      return undefined
    }
    if (statusCode !== 200) throw failureOfStatus(url.origin, statusCode, settings)
    if (Number(single(headers['content-length']) ?? 0) > maxBytes) throw tooLarge(url.origin, maxBytes)
    const { bytes, close } = await keepCopy(received(body, url.origin, maxBytes))
    return { version, bytes: unpacked(bytes, url.origin, maxBytes), close }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof FeedFailure) throw error
    const code = (error as { code?: unknown }).code
    throw new FeedFailure(
      `the connection to ${url.origin} failed${typeof code === 'string' ? ` (${code})` : ''}`,
    )
  } finally {
    await pool.destroy()
  }
}

/** A copy on this machine's disk, which has no name and is gone with this process. */
async function keepCopy(chunks: AsyncIterable<Buffer>): Promise<Pick<OpenedFile, 'bytes' | 'close'>> {
  const directory = await mkdtemp(join(tmpdir(), 'lotline-source-'))
  const file = await open(join(directory, 'file'), 'wx+', 0o600)
  try {
    await rm(directory, { recursive: true })
    for await (const chunk of chunks) await file.writeFile(chunk)
    const bytes = file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>
    return { bytes, close: () => file.close() }
  } catch (error) {
    await file.close()
    if (error instanceof FeedFailure) throw error
    throw new FeedFailure(`the file cannot be kept in ${tmpdir()} (${(error as { code?: unknown }).code})`)
  }
}

function failureOfStatus(origin: string, status: number, { tokenEnv }: FileSettings): FeedFailure {
  const advice =
    status === 401 || status === 403
      ? `; ${tokenEnv === undefined ? 'no credential is configured' : `check ${tokenEnv}`}`
      : status >= 300 && status < 400
        ? '; redirects are not followed, so configure the final URL'
        : ''
  return new FeedFailure(`${origin} answered with status ${status}${advice}`, { status })
}

function tooLarge(origin: string, maxBytes: number): FeedFailure {
  return new FeedFailure(
    `the file of ${origin} is larger than ${maxBytes} bytes, which are the most that are read`,
  )
}

/** The file, unpacked. Its failures name the server; the transaction that reads it changes nothing. */
async function* unpacked(
  packed: AsyncIterable<Buffer>,
  origin: string,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let length = 0
  try {
    for await (const chunk of unpack(packed)) {
      length += chunk.length
      if (length > maxBytes * MAX_UNPACKED) throw tooLarge(origin, maxBytes)
      yield chunk
    }
  } catch (error) {
    const code = String((error as { code?: unknown }).code ?? '')
    if (!code.startsWith('Z_')) throw error
    throw new FeedFailure(`${origin} sent compressed data that is damaged or cut off`)
  }
}

async function* received(
  body: AsyncIterable<Buffer>,
  origin: string,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let length = 0
  try {
    for await (const chunk of body) {
      length += chunk.length
      if (length > maxBytes) throw tooLarge(origin, maxBytes)
      yield chunk
    }
  } catch (error) {
    if (error instanceof FeedFailure) throw error
    throw new FeedFailure(`the connection to ${origin} was lost before the end of the file`)
  }
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
