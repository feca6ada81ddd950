import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { openFile } from '../../../src/data/ingest/open-file.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'

const CONTENT = Buffer.from('{"zpid":"1"}\n'.repeat(20_000))
const PACKED = gzipSync(CONTENT)

async function fileOf(content: Buffer, name = 'file.ndjson'): Promise<string> {
  const path = join(await makeTemporaryDirectory(), name)
  await writeFile(path, content)
  return path
}

it.each([
  ['as it is', CONTENT, 'file.ndjson'],
  ['packed', PACKED, 'file.ndjson.gz'],
  ['packed under another name', PACKED, 'file.ndjson'],
  [
    'packed in two parts',
    Buffer.concat([gzipSync(CONTENT.subarray(0, 1300)), gzipSync(CONTENT.subarray(1300))]),
    'f.gz',
  ],
])('a file is read %s, and tells how far', async (_name, content, name) => {
  const file = await openFile(await fileOf(content, name))
  expect(file.size).toBe(content.length)
  expect(file.position()).toBe(0)
  expect((await buffer(file.bytes)).equals(CONTENT)).toBe(true)
  expect(file.position()).toBe(content.length)
})

it('an empty file has no bytes', async () => {
  expect(await buffer((await openFile(await fileOf(Buffer.alloc(0)))).bytes)).toHaveLength(0)
})

it.each([
  ['cut off', PACKED.subarray(0, PACKED.length - 20), 'is cut off: its compressed data ends too early'],
  ['cut off in its header', PACKED.subarray(0, 5), 'is cut off'],
  [
    'damaged',
    Buffer.concat([PACKED.subarray(0, 100), Buffer.alloc(50, 7), PACKED.subarray(150)]),
    'is damaged',
  ],
])('a packed file that is %s fails in one line that names it', async (_name, content, message) => {
  const path = await fileOf(content)
  const reading = openFile(path).then(({ bytes }) => buffer(bytes))
  await expect(reading).rejects.toThrow(`${path} ${message}`)
  await expect(reading).rejects.toThrow(/^[^\n]*Nothing was changed\.$/)
})

it('the failure for an absent file or a directory names it', async () => {
  const directory = await makeTemporaryDirectory()
  await expect(openFile(join(directory, 'none'))).rejects.toThrow(`There is no file ${directory}/none.`)
  await expect(openFile(directory)).rejects.toThrow(`${directory} is a directory.`)
})

it('a reader that stops early leaves no file open', async () => {
  const { bytes } = await openFile(await fileOf(PACKED))
  for await (const chunk of bytes) {
    expect(chunk.length).toBeGreaterThan(0)
    break
  }
})
