// Encrypts webhook secrets at rest with AES-256-GCM. Each ciphertext is bound to its webhook and names its key, so that keys can be
// rotated. The keys come from SECRETS_KEY. Without it, the first start creates a key in a file under DATA_DIR that only this user can
// read, so that the operator can copy the file before anything is encrypted with it. If SECRETS_KEY is set later, the file's key still
// decrypts older secrets.

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../../infrastructure/config.ts'
import { errorCode, StartError } from '../../infrastructure/database.ts'
import { Secret } from '../../infrastructure/platform.ts'

/** The path under DATA_DIR. Needed to move or restore the data. */
export const KEY_FILE = 'secrets.key'

const CIPHER = 'aes-256-gcm'
const VERSION = 1
const KEY_ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface SealedSecret {
  readonly keyId: string
  readonly bytes: Buffer
}

/** A secret was encrypted with a key that this process does not have. */
export class UnknownKey extends Error {
  override readonly name = 'UnknownKey'
  readonly keyId: string

  constructor(keyId: string) {
    super(`There is no key ${keyId} here: set SECRETS_KEY to the keys that the secrets were encrypted with.`)
    this.keyId = keyId
  }
}

export interface SecretBox {
  /** Decryption needs the same `context`. */
  seal(plain: Buffer, context: string): SealedSecret
  /** @throws {UnknownKey} */
  open(sealed: Buffer, context: string): Buffer
  /** The ids of all available keys. The first one, if any, encrypts. */
  keyIds(): readonly string[]
  /** Creates the key file if there is no key. @throws the error of the file system if it cannot be written */
  makeKey(): void
}

interface EncryptionKey {
  readonly id: string
  readonly bytes: Buffer
}

export function createSecretBox(config: Pick<Config, 'secretsKeys' | 'dataDir'>): SecretBox {
  const path = join(config.dataDir, KEY_FILE)
  const given = config.secretsKeys.map(keyOf)
  let fromFile: EncryptionKey | undefined

  // Read when needed, and again while it does not exist: another process may create it.
  function all(): readonly EncryptionKey[] {
    const secret = fromFile ? undefined : readKeyFile(path)
    if (secret) fromFile = keyOf(secret)
    return fromFile ? [...given, fromFile] : given
  }

  function sealing(): EncryptionKey {
    const [first] = given
    if (first) return first
    fromFile ??= keyOf(readKeyFile(path) ?? makeKeyFile(path))
    return fromFile
  }

  return {
    seal(plain, context) {
      const { id, bytes } = sealing()
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, bytes, nonce).setAAD(Buffer.from(context))
      const hidden = Buffer.concat([cipher.update(plain), cipher.final()])
      const head = Buffer.concat([Buffer.from([VERSION]), Buffer.from(id, 'hex'), nonce, cipher.getAuthTag()])
      return { keyId: id, bytes: Buffer.concat([head, hidden]) }
    },
    open(sealed, context) {
      const at = [1, 1 + KEY_ID_BYTES, 1 + KEY_ID_BYTES + NONCE_BYTES] as const
      const end = at[2] + TAG_BYTES
      if (sealed[0] !== VERSION || sealed.length < end)
        throw new Error('An encrypted value in the database is damaged and cannot be decrypted.')
      const id = sealed.subarray(at[0], at[1]).toString('hex')
      const key = given.find((known) => known.id === id) ?? all().find((known) => known.id === id)
      if (!key) throw new UnknownKey(id)
      const decipher = createDecipheriv(CIPHER, key.bytes, sealed.subarray(at[1], at[2]), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(at[2], end))
      return Buffer.concat([decipher.update(sealed.subarray(end)), decipher.final()])
    },
    keyIds: () => all().map(({ id }) => id),
    makeKey: () => void sealing(),
  }
}

function keyOf(secret: Secret): EncryptionKey {
  const bytes = Buffer.from(secret.reveal(), 'base64')
  const id = createHash('sha256').update('lotline secrets key').update(bytes).digest('hex')
  return { id: id.slice(0, 2 * KEY_ID_BYTES), bytes }
}

function readKeyFile(path: string): Secret | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined
    throw new StartError(`The key file ${path} cannot be read (${errorCode(error)}). Check its permissions.`)
  }
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) {
    throw new StartError(`The key file ${path} is damaged. Restore it from a backup, or set SECRETS_KEY.`)
  }
  return new Secret(text)
}

/** Creates the key file. If another process is faster, its key is used. When it returns, the file is on disk. */
function makeKeyFile(path: string): Secret {
  const directory = dirname(path)
  // Processes in different containers can have the same pid.
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true })
    // The file appears completely or not at all.
    linkSync(draft, path)
    syncDirectory(directory)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readKeyFile(path)!
}

function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
