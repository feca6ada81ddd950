// A source of kind `file`: NDJSON or CSV on an https server or on this machine, imported when it has changed. The server reports changes
// (ETag, Last-Modified); a local file shows them by its size and time. A file of a server is downloaded completely before its import
// begins: only one import runs at a time, and a slow server would keep all others waiting. A process keeps one such file at a time, on its
// disk.
// Why: decisions/data/when-a-file-is-read-again.md

import { createHash } from 'node:crypto'
import { access, constants, type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import type { Database, Queryable } from '../../infrastructure/database.ts'
import { beginImport, endImport } from '../imports/import-log.ts'
import { countsOf, type ImportOptions, importRows } from '../ingest/import-listings.ts'
import { digestOfRules } from '../ingest/import-rules.ts'
import { judgeOf } from '../ingest/judge-file.ts'
import { parseMapping } from '../ingest/mapping.ts'
import { openFile, unpack } from '../ingest/open-file.ts'
import { readCsv } from '../ingest/read-csv.ts'
import { readNdjson } from '../ingest/read-ndjson.ts'
import type { SourceRows } from '../ingest/source-row.ts'
import { lockImports } from '../listings/stage-listings.ts'
import { withRestrictedHomes } from '../rights/restricted-homes.ts'
import { NOTHING_APPLIED, type RunTotal } from './apply-page.ts'
import {
  type ConnectedSource,
  type FileSettings,
  fileUrl,
  readCredential,
  renewLease,
  type SourceLease,
  SourceLost,
} from './source-store.ts'
import { FeedFailure } from './upstream.ts'

export interface FileRun {
  readonly database: Database
  readonly lease: SourceLease
  readonly source: ConnectedSource
  readonly settings: FileSettings
  /** Imports the file even if it has not changed. */
  readonly full: boolean
  readonly allowRemovals: number
  /** Maximum compressed size of the file. Default: 8 GB. */
  readonly maxBytes?: number
  /** Milliseconds for the whole download. Default: 6 hours. */
  readonly downloadLimitMs?: number
  /** Milliseconds until the headers of a response, and between two chunks of its body. Default: a minute. */
  readonly idleTimeoutMs?: number
  /** DATA_DIR. A downloaded file is kept there until it is imported, or else in the folder for temporary files. */
  readonly dataDir?: string
  readonly signal: AbortSignal
}

/** This process already downloads or imports another file. A second one would take as much space on the disk again. */
export class DownloadUnderWay extends Error {
  override readonly name = 'DownloadUnderWay'
  readonly retryAt = new Date(Date.now() + RETRY_AFTER_MS)
}

export interface OpenedFile {
  /** The current version. undefined: nothing shows when the file changes. */
  readonly version: string | undefined
  readonly bytes: AsyncIterable<Buffer>
  close(): Promise<void>
}

const RETRY_AFTER_MS = 60_000
const IDLE_TIMEOUT_MS = 60_000
const DOWNLOAD_LIMIT_MS = 6 * 3_600_000
const MAX_BYTES = 8 * 1024 * 1024 * 1024
/** The maximum compression ratio. A file with a higher ratio contains no listings. */
const MAX_UNPACKED = 200
/** A small file may be decompressed to this size. */
const MIN_UNPACKED_BYTES = 64 * 1024 * 1024

const NOTHING: RunTotal = { ...NOTHING_APPLIED, pages: 0, withdrawn: 0 }

let isDownloading = false

/**
 * Imports the file if it has changed since its last import.
 *
 * @throws {DownloadUnderWay} when this process is busy with another downloaded file
 * @throws {FeedFailure} when the file cannot be read
 * @throws {ImportFailure} as an import from the command line does. Only the restrictions of its rows were applied
 */
export async function importFeedFile(run: FileRun): Promise<RunTotal> {
  if (!isUrl(run.settings)) return importFile(run)
  if (isDownloading) throw new DownloadUnderWay()
  isDownloading = true
  try {
    return await importFile(run)
  } finally {
    isDownloading = false
  }
}

function isUrl({ location }: FileSettings): boolean {
  return /^https?:/i.test(location)
}

async function importFile(run: FileRun): Promise<RunTotal> {
  const { database, lease, source, settings, allowRemovals, signal } = run
  const rules = await rulesOf(settings)
  const file = await openFeedFile(run, run.full || source.fileRules !== rules ? null : source.fileVersion)
  if (file === undefined) return NOTHING
  const { version } = file
  const options: ImportOptions = {
    source: source.name,
    allowRemovals,
    merge: mergesRows(settings),
    ...(settings.use !== undefined && { use: settings.use }),
    ...(settings.complete && { complete: { sources: [source.name], allowRemovals } }),
  }
  const saveVersion = (tx: Queryable) =>
    tx.query('update connected_sources set file_version = $2, file_rules = $3 where name = $1', [
      source.name,
      version ?? null,
      rules,
    ])
  try {
    const report = await withRestrictedHomes(
      database,
      (restricted) =>
        database.transaction(
          async (tx) => {
            await lockImports(tx)
            const begun = await beginImport(tx, 'schedule')
            const judge = judgeOf({
              database,
              tx,
              begun,
              kind: 'schedule',
              allowRemovals,
              complete: options.complete,
              // The held rows are those of this version, which is not read again.
              async beforeHeld(kept) {
                await renewLease(kept, lease)
                await saveVersion(kept)
              },
            })
            const imported = await importRows(tx, readRows(file, settings), { ...options, judge }, restricted)
            await endImport(tx, begun, {
              sources: [source.name],
              counts: countsOf(imported),
              isPermitted: allowRemovals > 0,
            })
            await renewLease(tx, lease)
            await saveVersion(tx)
            return imported
          },
          { statementTimeoutMs: 0 },
        ),
      {
        // Another process has read a newer file, or reads this one again.
        follows: (error) => !(error instanceof SourceLost) && !signal.aborted,
        beforeCommit: (tx) => renewLease(tx, lease),
      },
    )
    const { read, inserted, updated, unchanged, removed, withheld, rejected, withdrawn } = report
    return { read, inserted, updated, unchanged, removed, withheld, rejected, withdrawn, pages: 1 }
  } finally {
    await file.close()
  }
}

/** A digest of the rules by which the file is read: those of this Lotline, and those of the operator. */
async function rulesOf({ mapping, use, complete, merge = false }: FileSettings): Promise<string> {
  const own = JSON.stringify([await digestOfRules(), mapping ?? null, use ?? null, complete, merge])
  return createHash('sha256').update(own).digest('hex')
}

/**
 * Opens the file, which its reader closes. undefined: it has not changed.
 *
 * @param known the version that is not opened again. null: every version is opened
 * @throws {FeedFailure} when its server does not send it
 */
export function openFeedFile(
  run: Pick<FileRun, 'settings' | 'signal' | 'maxBytes' | 'downloadLimitMs' | 'idleTimeoutMs' | 'dataDir'>,
  known: string | null,
): Promise<OpenedFile | undefined> {
  return isUrl(run.settings) ? openUrl(run, known) : openLocal(run.settings, known)
}

/** Whether a row of the file changes only the fields that it has. */
export function mergesRows({ merge = false, mapping }: FileSettings): boolean {
  return merge || (mapping !== undefined && parseMapping(mapping, 'the mapping').rows === 'merge')
}

/** The rows of the file: CSV with a mapping, otherwise NDJSON. `onHeader` is called with the header of CSV. */
export function readRows(
  { bytes }: OpenedFile,
  { mapping }: FileSettings,
  onHeader?: (header: readonly string[]) => void,
): SourceRows {
  return mapping === undefined
    ? readNdjson(bytes)
    : readCsv(bytes, parseMapping(mapping, 'the mapping'), onHeader)
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
  run: Parameters<typeof openFeedFile>[0],
  known: string | null,
): Promise<OpenedFile | undefined> {
  const { settings, signal, maxBytes = MAX_BYTES } = run
  const { downloadLimitMs = DOWNLOAD_LIMIT_MS, idleTimeoutMs = IDLE_TIMEOUT_MS } = run
  const url = fileUrl(settings)
  const credential = readCredential(settings, undefined)
  const pool = new Pool(url.origin, {
    allowH2: false,
    connections: 1,
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
  })
  const limit = AbortSignal.timeout(downloadLimitMs)
  /** The reason for a timeout, in words. undefined: the connection was lost, or there was none. */
  const lateness = (error: unknown): string | undefined => {
    const { code } = error as { code?: unknown }
    if (limit.aborted)
      return `${url.origin} did not send the whole file in ${downloadLimitMs / 60_000} minutes`
    if (code === 'UND_ERR_BODY_TIMEOUT')
      return `${url.origin} sent nothing more for ${idleTimeoutMs / 1000} seconds before the end of the file`
    return code === 'UND_ERR_HEADERS_TIMEOUT'
      ? `${url.origin} did not answer in ${idleTimeoutMs / 1000} seconds`
      : undefined
  }
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
      signal: AbortSignal.any([signal, limit]),
    })
    // Destroying a body that was not read to its end emits an error, and no other listener is left then.
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
    const { bytes, length, close } = await keepCopy(
      received(body, url.origin, maxBytes, lateness),
      await findFolder(run.dataDir),
    )
    const most = Math.max(Math.min(MIN_UNPACKED_BYTES, maxBytes), MAX_UNPACKED * length)
    return { version, bytes: unpacked(bytes, url.origin, most), close }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof FeedFailure) throw error
    const code = (error as { code?: unknown }).code
    throw new FeedFailure(
      lateness(error) ??
        `the connection to ${url.origin} failed${typeof code === 'string' ? ` (${code})` : ''}`,
    )
  } finally {
    await pool.destroy()
  }
}

/** DATA_DIR is on a disk. The folder for temporary files may be in memory, which a large file would fill. */
async function findFolder(dataDir: string | undefined): Promise<string> {
  if (dataDir === undefined) return tmpdir()
  return access(dataDir, constants.W_OK | constants.X_OK).then(
    () => dataDir,
    () => tmpdir(),
  )
}

interface Copy extends Pick<OpenedFile, 'bytes' | 'close'> {
  /** The number of bytes as they were sent. */
  readonly length: number
}

/** Copies the bytes to a file on this machine's disk that has no name, so it is gone with this process. */
async function keepCopy(chunks: AsyncIterable<Buffer>, folder: string): Promise<Copy> {
  let file: FileHandle | undefined
  try {
    file = await openNameless(folder)
    let length = 0
    for await (const chunk of chunks) {
      await file.writeFile(chunk)
      length += chunk.length
    }
    const bytes = file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>
    return { bytes, length, close: file.close.bind(file) }
  } catch (error) {
    await file?.close()
    if (error instanceof FeedFailure) throw error
    throw new FeedFailure(`the file cannot be kept in ${folder} (${(error as { code?: unknown }).code})`)
  }
}

async function openNameless(folder: string): Promise<FileHandle> {
  const directory = await mkdtemp(join(folder, 'lotline-source-'))
  try {
    return await open(join(directory, 'file'), 'wx+', 0o600)
  } finally {
    await rm(directory, { recursive: true, force: true })
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
  return new FeedFailure(`the file of ${origin} is larger than ${maxBytes} bytes, the limit for a file`)
}

/** The decompressed file. Its failures name the server. */
async function* unpacked(
  packed: AsyncIterable<Buffer>,
  origin: string,
  most: number,
): AsyncGenerator<Buffer> {
  let length = 0
  try {
    for await (const chunk of unpack(packed)) {
      length += chunk.length
      if (length > most) {
        throw new FeedFailure(
          `the file of ${origin} is larger than ${most} bytes when it is unpacked, the limit for this file`,
        )
      }
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
  lateness: (error: unknown) => string | undefined,
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
    throw new FeedFailure(
      lateness(error) ?? `the connection to ${origin} was lost before the end of the file`,
    )
  }
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
