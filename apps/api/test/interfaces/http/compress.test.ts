// Responses are compressed as the client asks, and come out of it as the bytes that they were.

import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  chooseEncoding,
  compressPieces,
  MIN_COMPRESSED_BYTES,
} from '../../../src/interfaces/http/compress.ts'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { parts: { provider: createMemoryProvider() } })
const UNPACK = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }
const RECORD = '/v1/properties/48749425'

let key = ''
beforeAll(async () => {
  key = (await server.openAccount()).key
})

/** The bytes as they came, which fetch would unpack. */
function get(path: string, acceptEncoding?: string) {
  return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>(
    (resolve, reject) => {
      const headers = {
        authorization: `Bearer ${key}`,
        ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }),
      }
      request(`${server.url}${path}`, { headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(chunks) }),
        )
      })
        .on('error', reject)
        .end()
    },
  )
}

/** But for the request id, which differs from call to call. */
function dataOf(bytes: Buffer): unknown {
  return (JSON.parse(bytes.toString()) as { data: unknown }).data
}

describe.each(['gzip', 'br', 'zstd'] as const)('%s', (encoding) => {
  it('is used for a large response if the client accepts it, with the same data', async () => {
    const plain = await get(RECORD)
    expect(plain.bytes.length).toBeGreaterThan(MIN_COMPRESSED_BYTES)
    const packed = await get(RECORD, encoding)
    expect(packed.headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(packed.bytes.length),
      'x-credits-charged': '1',
    })
    expect(String(packed.headers.vary)).toContain('Accept-Encoding')
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length)
    expect(dataOf(UNPACK[encoding](packed.bytes))).toEqual(dataOf(plain.bytes))
  })

  it('is used for streamed rows', async () => {
    const path = '/v1/listings?bbox=-123,47,-122,48&format=csv'
    const plain = await get(path)
    const packed = await get(path, encoding)
    expect(packed.headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': 'text/csv; charset=utf-8',
      'x-row-count': plain.headers['x-row-count'],
    })
    // Each row has the time of its reading (source.fetched_at), which is another in each call.
    const timeless = (csv: Buffer) => csv.toString().replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    expect(timeless(UNPACK[encoding](packed.bytes))).toBe(timeless(plain.bytes))
  })
})

it('a small response, an error, and a response without Accept-Encoding are not compressed', async () => {
  for (const [path, accepted] of [
    ['/v1/me', 'gzip, br, zstd'],
    ['/v1/properties/abc', 'gzip, br, zstd'],
    [RECORD, undefined],
    [RECORD, 'identity'],
    [RECORD, 'deflate'],
    [RECORD, 'gzip;q=0'],
    [RECORD, ''],
  ] as const) {
    const { headers, bytes } = await get(path, accepted)
    expect([path, accepted, headers['content-encoding']]).toEqual([path, accepted, undefined])
    expect(() => JSON.parse(bytes.toString())).not.toThrow()
  }
})

it.each([
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['*', 'zstd'],
  ['zstd;q=0, *', 'br'],
  ['identity, gzip;q=0.5', undefined],
  ['*;q=0', undefined],
  ['x-unknown', undefined],
])('from %j, %s is selected', (accepted, chosen) => {
  expect(chooseEncoding(accepted)).toBe(chosen)
})

describe('streamed text', () => {
  it('is sent before the last piece is produced', async () => {
    let made = 0
    let over = false
    async function* pieces() {
      try {
        // Random, so that the compressor has something to give out.
        for (; made < 1000; made++) yield crypto.getRandomValues(Buffer.alloc(32_768))
      } finally {
        over = true
      }
    }
    const stream = compressPieces(pieces(), 'zstd')
    for await (const chunk of stream) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
    expect(made).toBeLessThan(100)
    // The loop destroyed the stream, as a client does that disconnects: the source is closed.
    for (let attempt = 0; !over && attempt < 500; attempt++)
      await new Promise((resolve) => setTimeout(resolve, 10))
    expect(over).toBe(true)
  })

  it('ends in an error when the source fails, so that it does not look complete', async () => {
    async function* pieces() {
      yield Buffer.alloc(100_000)
      throw new Error('the source failed')
    }
    await expect(async () => {
      for await (const _ of compressPieces(pieces(), 'gzip'));
    }).rejects.toThrow('the source failed')
  })
})
