// Opens a file as a stream of bytes, decompressed if it is gzip, with the sizes that a progress bar needs. Every failure becomes one line
// that names the file.

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { ImportFailure } from './source-row.ts'

export interface OpenFile {
  readonly bytes: AsyncIterable<Buffer>
  /** The size on disk in bytes. 0: not known beforehand. */
  readonly size: number
  /** The number of bytes that have been read. */
  position(): number
}

const CHUNK_BYTES = 64 * 1024
// Each chunk costs two switches between threads, so larger chunks are decompressed in half the time.
const UNPACKED_CHUNK_BYTES = 256 * 1024

/**
 * Opens nothing until it is read from.
 *
 * @throws {ImportFailure} when there is no such file, and during reading when it cannot be read to its end
 */
export async function openFile(path: string): Promise<OpenFile> {
  const found = await stat(path).catch((error) => {
    throw failureOf(path, error)
  })
  if (found.isDirectory()) throw new ImportFailure(`${path} is a directory. Name a file.`)
  const file = { read: 0 }
  return { bytes: readBytes(path, file), size: found.size, position: () => file.read }
}

async function* readBytes(path: string, counter: { read: number }): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  try {
    yield* unpack(file as AsyncIterable<Buffer>, (bytes) => {
      counter.read += bytes
    })
  } catch (error) {
    throw failureOf(path, error)
  } finally {
    file.destroy()
  }
}

/** The same bytes, decompressed if they are gzip. `onRead` is called with the number of bytes that were taken from the source. */
export async function* unpack(
  bytes: AsyncIterable<Buffer>,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<Buffer> {
  const chunks = bytes[Symbol.asyncIterator]()
  async function* counted(first: Buffer): AsyncGenerator<Buffer> {
    for (let chunk: Buffer | undefined = first; chunk !== undefined; ) {
      onRead(chunk.length)
      yield chunk
      const next: IteratorResult<Buffer> = await chunks.next()
      chunk = next.done === true ? undefined : next.value
    }
  }
  const { value: first, done } = await chunks.next()
  if (done === true) return
  // The content decides, not the name: renamed and piped files are read as well.
  const isGzip = first[0] === 0x1f && first[1] === 0x8b
  if (isGzip) yield* gunzip(counted(first))
  else yield* counted(first)
}

/**
 * Not a pipeline, because that drops decompressed bytes that were not read yet when an error follows. While one chunk is read, the next one
 * is decompressed.
 */
async function* gunzip(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: UNPACKED_CHUNK_BYTES })
  let unpacked: Buffer[] = []
  let failure: { readonly error: unknown } | undefined
  gunzip.on('data', (chunk: Buffer) => unpacked.push(chunk))
  let wasWritten = () => {}
  const ended = finished(gunzip)
    .catch((error: unknown) => {
      failure = { error }
    })
    // The callback of a chunk that cannot be decompressed is never called.
    .then(() => wasWritten())
  const write = (chunk: Buffer) =>
    new Promise<void>((resolve) => {
      wasWritten = resolve
      gunzip.write(chunk, () => resolve())
    })
  function take(): Buffer[] {
    const ready = unpacked
    unpacked = []
    return ready
  }
  try {
    let written = Promise.resolve()
    try {
      for await (const chunk of packed) {
        await written
        if (failure) break
        const ready = take()
        written = write(chunk)
        yield* ready
      }
    } catch (error) {
      // The source has failed.
      await written
      yield* take()
      throw error
    }
    await written
    gunzip.end()
    await ended
    yield* take()
    if (failure) throw failure.error
  } finally {
    gunzip.destroy()
  }
}

function failureOf(path: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new ImportFailure(`There is no file ${path}.`)
    case 'EACCES':
    case 'EPERM':
      return new ImportFailure(`${path} may not be read by this user.`)
    case 'Z_BUF_ERROR':
      return new ImportFailure(`${path} is cut off: its compressed data ends too early. Nothing was changed.`)
    case 'Z_DATA_ERROR':
      return new ImportFailure(
        `${path} is damaged: its compressed data is wrong (${message}). Nothing was changed.`,
      )
    default:
      return code === undefined
        ? error
        : new ImportFailure(`${path} cannot be read: ${message}. Nothing was changed.`)
  }
}
