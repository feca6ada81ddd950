// Creates X.509 certificates for tests, which Node cannot do: ECDSA P-256 with one name.

import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import {
  BasicConstraintsExtension,
  cryptoProvider,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

cryptoProvider.set(webcrypto as never)

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
  /** Default: self-signed, and may sign others. */
  readonly issuer?: Authority
}

export interface Authority extends Certificate {
  readonly name: string
  readonly privateKey: webcrypto.CryptoKey
}

const DAY_MS = 86_400_000
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** A certificate authority for the certificates of receivers. */
export function makeAuthority(name = 'Test Authority'): Promise<Authority> {
  return makeCertificate({ host: name })
}

export async function makeCertificate(options: CertificateOptions): Promise<Authority> {
  const { host, issuer } = options
  const now = Date.now()
  const { notBefore = new Date(now - DAY_MS), notAfter = new Date(now + DAY_MS) } = options
  const { publicKey, privateKey } = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const isAddress = /^[0-9.]+$/.test(host)
  const certificate = await X509CertificateGenerator.create({
    subject: [{ CN: [host] }],
    issuer: [{ CN: [issuer?.name ?? host] }],
    notBefore,
    notAfter,
    publicKey: publicKey as never,
    signingKey: (issuer?.privateKey ?? privateKey) as never,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(issuer === undefined),
      new SubjectAlternativeNameExtension([
        isAddress ? { type: 'ip', value: host } : { type: 'dns', value: host.replaceAll(' ', '-') },
      ]),
    ],
  })
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey)).toString('base64')
  return {
    name: host,
    privateKey,
    cert: certificate.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${key.match(/.{1,64}/g)!.join('\n')}\n-----END PRIVATE KEY-----\n`,
  }
}
