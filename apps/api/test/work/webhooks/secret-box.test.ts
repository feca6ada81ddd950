import { randomBytes } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Secret } from '../../../src/infrastructure/platform/secret.ts'
import { createSecretBox, KEY_FILE, UnknownKey } from '../../../src/work/webhooks/secret-box.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'

const PLAIN = Buffer.from('thirty-two bytes of signing key!')

function boxOf(dataDir: string, ...keys: readonly Buffer[]) {
  return createSecretBox({ dataDir, secretsKeys: keys.map((key) => new Secret(key.toString('base64'))) })
}

describe('an encrypted secret', () => {
  it('can be decrypted for its webhook with its key, and contains no plaintext', async () => {
    const box = boxOf('/nowhere', randomBytes(32))
    const { bytes } = box.seal(PLAIN, 'webhook 1')
    expect(box.open(bytes, 'webhook 1')).toEqual(PLAIN)
    expect(bytes.includes(PLAIN.subarray(0, 8))).toBe(false)
    expect(box.seal(PLAIN, 'webhook 1').bytes).not.toEqual(bytes)
  })

  it('cannot be decrypted for another webhook', () => {
    const box = boxOf('/nowhere', randomBytes(32))
    const { bytes } = box.seal(PLAIN, 'webhook 1')
    expect(() => box.open(bytes, 'webhook 2')).toThrow()
  })

  it('cannot be decrypted if any byte of it was changed or cut off', () => {
    const box = boxOf('/nowhere', randomBytes(32))
    const { bytes } = box.seal(PLAIN, 'webhook 1')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      expect(() => box.open(changed, 'webhook 1'), `byte ${at}`).toThrow()
      expect(() => box.open(bytes.subarray(0, at), 'webhook 1'), `${at} bytes`).toThrow()
    }
  })
})

describe('encryption keys', () => {
  it('of SECRETS_KEY: the first encrypts, all decrypt, and an error names a missing one', () => {
    const [old, young] = [randomBytes(32), randomBytes(32)]
    const before = boxOf('/nowhere', old).seal(PLAIN, 'w')
    const both = boxOf('/nowhere', young, old)
    expect(both.open(before.bytes, 'w')).toEqual(PLAIN)
    const after = both.seal(PLAIN, 'w')
    expect(after.keyId).toBe(both.keyIds()[0])
    expect(boxOf('/nowhere', young).open(after.bytes, 'w')).toEqual(PLAIN)
    expect(() => boxOf('/nowhere', young).open(before.bytes, 'w')).toThrow(UnknownKey)
    expect(() => boxOf('/nowhere', young).open(before.bytes, 'w')).toThrow(`no key ${before.keyId} here`)
  })

  it('are created in a file that only the owner can read, when one is needed and none exists', async () => {
    const dataDir = join(await makeTemporaryDirectory(), 'data')
    const file = join(dataDir, KEY_FILE)
    const box = boxOf(dataDir)
    expect(box.keyIds()).toEqual([])
    await expect(stat(file)).rejects.toThrow('ENOENT')
    const { bytes } = box.seal(PLAIN, 'w')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(boxOf(dataDir).open(bytes, 'w')).toEqual(PLAIN)
  })

  it('of the file are found by a process that had looked for them before they were created', async () => {
    const dataDir = await makeTemporaryDirectory()
    const early = boxOf(dataDir)
    expect(early.keyIds()).toEqual([])
    const { bytes } = boxOf(dataDir).seal(PLAIN, 'w')
    expect(early.open(bytes, 'w')).toEqual(PLAIN)
    expect(boxOf(dataDir).open(early.seal(PLAIN, 'w').bytes, 'w')).toEqual(PLAIN)
  })

  it('of the file still decrypt after SECRETS_KEY is set', async () => {
    const dataDir = await makeTemporaryDirectory()
    const { bytes } = boxOf(dataDir).seal(PLAIN, 'w')
    const key = randomBytes(32)
    const box = boxOf(dataDir, key)
    expect(box.open(bytes, 'w')).toEqual(PLAIN)
    expect(boxOf('/nowhere', key).open(box.seal(PLAIN, 'w').bytes, 'w')).toEqual(PLAIN)
  })

  it('are not guessed from a damaged file', async () => {
    const dataDir = await makeTemporaryDirectory()
    const file = join(dataDir, KEY_FILE)
    await writeFile(file, 'half a k')
    expect(() => boxOf(dataDir).seal(PLAIN, 'w')).toThrow(
      /secrets\.key is damaged\. Restore it from a backup, or set SECRETS_KEY/,
    )
    expect(await readFile(file, 'utf8')).toBe('half a k')
  })
})
