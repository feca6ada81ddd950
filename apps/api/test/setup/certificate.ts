// X.509 certificates for tests, made by hand from DER, since Node signs but does not write them. ECDSA P-256, one name.

import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export interface Certificate {
  /** PEM */
  readonly cert: string
  /** PEM */
  readonly key: string
}

export interface CertificateOptions {
  /** DNS name, or IPv4 address. */
  readonly host: string
  readonly notBefore?: Date
  readonly notAfter?: Date
  /** Default: it signs itself, and may sign others. */
  readonly issuer?: Certificate & { readonly name: string; readonly privateKey: KeyObject }
}

const DAY_MS = 86_400_000

export type Authority = NonNullable<CertificateOptions['issuer']>

/** An authority that receivers' certificates can be signed by. */
export function makeAuthority(name = 'Test Authority'): Authority {
  return makeCertificate({ host: name })
}

export function makeCertificate(options: CertificateOptions): Authority {
  const { host, issuer } = options
  const now = Date.now()
  const { notBefore = new Date(now - DAY_MS), notAfter = new Date(now + DAY_MS) } = options
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(oid('1.2.840.10045.4.3.2'))
  const tbs = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x11]), randomBytes(8)])),
    algorithm,
    nameOf(issuer?.name ?? host),
    sequence(time(notBefore), time(notAfter)),
    nameOf(host),
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(
      3,
      sequence(
        extension('2.5.29.19', issuer ? sequence() : sequence(tagged(0x01, Buffer.from([0xff])))),
        extension('2.5.29.17', sequence(subject(host))),
      ),
    ),
  )
  const signature = sign('sha256', tbs, issuer?.privateKey ?? privateKey)
  const der = sequence(tbs, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = der.toString('base64').match(/.{1,64}/g)!
  return {
    name: host,
    privateKey,
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Buffer[]) => tagged(0x30, Buffer.concat(parts))
const explicit = (number: number, content: Buffer) => tagged(0xa0 + number, content)
const integer = (bytes: Buffer) => tagged(0x02, bytes)

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const part of rest) {
    const septets = [part & 0x7f]
    for (let left = part >> 7; left > 0; left >>= 7) septets.unshift((left & 0x7f) | 0x80)
    bytes.push(...septets)
  }
  return tagged(0x06, Buffer.from(bytes))
}

function nameOf(text: string): Buffer {
  return sequence(tagged(0x31, sequence(oid('2.5.4.3'), tagged(0x0c, Buffer.from(text)))))
}

function time(date: Date): Buffer {
  return tagged(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`))
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), tagged(0x04, value))
}

function subject(host: string): Buffer {
  return /^[0-9.]+$/.test(host)
    ? tagged(0x87, Buffer.from(host.split('.').map(Number)))
    : tagged(0x82, Buffer.from(host.replaceAll(' ', '-')))
}
