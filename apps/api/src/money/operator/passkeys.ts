// Passkeys of named operators (WebAuthn): made once with a link of the `lotline` command, then used to sign in. The browser or a security
// key has the private key, and asks its user for a fingerprint or a PIN.

// Why: decisions/money/operators-have-passkeys.md

import { hash } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Database, Queryable } from '../../infrastructure/database.ts'
import { isToken, tokenDigest } from '../../infrastructure/platform.ts'
import { consumeLink, createLink, type SessionBrowser, startSessionFor } from '../accounts/sign-in.ts'
import { holdConsoleAccess } from './console-access.ts'
import { type Operator, recordAction } from './trail.ts'

/** The site whose passkeys are made and used. */
export interface PasskeySite {
  /** A host name without a port, such as `localhost`. Passkeys of another host do not work. */
  readonly host: string
  /** Such as `http://localhost:9910`. */
  readonly origin: string
}

/** Loaded with the first passkey: commands and most processes need none. */
const load = () => import('@simplewebauthn/server')

const MAX_PASSKEYS = 20

/** A passkey cannot be made or used, with the reason for the log. Its text has no secrets. */
export class PasskeyRefused extends Error {
  override readonly name = 'PasskeyRefused'
}

/** The operator for whom a link makes a passkey, and what the browser is asked for. undefined: the link does not work. */
export async function readEnrollment(
  database: Database,
  site: PasskeySite,
  token: string,
): Promise<
  | {
      readonly operator: string
      readonly role: string
      readonly options: PublicKeyCredentialCreationOptionsJSON
    }
  | undefined
> {
  if (!isToken(token)) return undefined
  const found = await database.transaction(async (tx) => {
    const { lockedAt } = await holdConsoleAccess(tx)
    return lockedAt === null ? findEnrollment(tx, token) : undefined
  })
  if (!found) return undefined
  const { generateRegistrationOptions } = await load()
  const options = await generateRegistrationOptions({
    rpName: 'Lotline console',
    rpID: site.host,
    userName: found.name,
    userID: new TextEncoder().encode(found.id),
    challenge: new Uint8Array(challengeOfEnrollment(token)),
    attestationType: 'none',
    excludeCredentials: found.passkeys.map((id) => ({ id: id.toString('base64url') })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { operator: found.name, role: found.role, options }
}

/**
 * Makes a passkey with a link, and signs in with it: returns the id of the session. The link works once, so its challenge, which is made of
 * it, does, too. A link stays valid if its passkey is refused.
 *
 * @param response the browser's, as JSON
 * @throws {PasskeyRefused} if the response does not fit
 */
export async function usePasskeyLink(
  database: Database,
  site: PasskeySite,
  {
    token,
    response,
    browser,
  }: { readonly token: string; readonly response: string; readonly browser: SessionBrowser },
): Promise<string | undefined> {
  if (!isToken(token)) return undefined
  const { verifyRegistrationResponse } = await load()
  return database.transaction(async (tx) => {
    const { lockedAt } = await holdConsoleAccess(tx)
    if (lockedAt !== null) return undefined
    const found = await findEnrollment(tx, token)
    if (!found || !(await consumeLink(tx, 'enrollment', token))) return undefined
    if (found.passkeys.length >= MAX_PASSKEYS)
      throw new PasskeyRefused(`An operator has at most ${MAX_PASSKEYS} passkeys.`)
    const { verified, registrationInfo } = await verify(() =>
      verifyRegistrationResponse({
        response: parse<RegistrationResponseJSON>(response),
        expectedChallenge: challengeOfEnrollment(token).toString('base64url'),
        expectedOrigin: site.origin,
        expectedRPID: site.host,
        requireUserVerification: true,
      }),
    )
    if (!verified || !registrationInfo) throw new PasskeyRefused('The response has a wrong signature.')
    const { id, publicKey, counter, transports } = registrationInfo.credential
    const { rowCount } = await tx.query(
      `insert into operator_passkeys (id, operator_id, public_key, counter, transports, last_used_at)
       values ($1, $2, $3, $4, $5, now()) on conflict do nothing`,
      [Buffer.from(id, 'base64url'), found.id, Buffer.from(publicKey), counter, transports ?? []],
    )
    if (rowCount === 0) throw new PasskeyRefused('The passkey was stored before.')
    const operator: Operator = { name: found.name, via: 'console', signIn: 'passkey' }
    await recordAction(tx, operator, {
      action: 'console.add-passkey',
      after: { passkeys: found.passkeys.length + 1 },
    })
    await recordAction(tx, operator, { action: 'console.sign-in' })
    return startSessionFor(tx, 'operator', found.name, { ...browser, operatorId: found.id })
  })
}

/** The request to the browser for a sign-in. The challenge works once, for some minutes. undefined: the console is locked. */
export async function createPasskeyChallenge(
  database: Database,
  site: PasskeySite,
): Promise<PublicKeyCredentialRequestOptionsJSON | undefined> {
  const link = await database.transaction(async (tx) => {
    const { lockedAt } = await holdConsoleAccess(tx)
    return lockedAt === null ? createLink(tx, 'passkey', {}) : undefined
  })
  if (!link) return undefined
  const { generateAuthenticationOptions } = await load()
  return generateAuthenticationOptions({
    rpID: site.host,
    challenge: Buffer.from(link.token, 'base64url'),
    userVerification: 'required',
  })
}

/**
 * Signs in with a passkey, and returns the id of the session. Returns undefined if the console is locked, the passkey is not known, or its
 * challenge was used or has expired.
 *
 * @param response the browser's, as JSON
 * @throws {PasskeyRefused} if the response does not fit the passkey
 */
export async function usePasskey(
  database: Database,
  site: PasskeySite,
  { response, browser }: { readonly response: string; readonly browser: SessionBrowser },
): Promise<string | undefined> {
  const { verifyAuthenticationResponse } = await load()
  const sent = parse<AuthenticationResponseJSON>(response)
  const challenge = challengeOf(sent)
  // On its own: an answer that is refused has used its challenge.
  if (challenge === undefined || !(await consumeLink(database, 'passkey', challenge))) return undefined
  return database.transaction(async (tx) => {
    const { lockedAt } = await holdConsoleAccess(tx)
    const passkey = lockedAt === null ? await lockPasskey(tx, sent.id) : undefined
    if (!passkey) return undefined
    const { verified, authenticationInfo } = await verify(() =>
      verifyAuthenticationResponse({
        response: sent,
        expectedChallenge: challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.host,
        requireUserVerification: true,
        credential: {
          id: sent.id,
          publicKey: new Uint8Array(passkey.publicKey),
          counter: passkey.counter,
          transports: passkey.transports as AuthenticatorTransport[],
        },
      }),
    )
    if (!verified) throw new PasskeyRefused('The response has a wrong signature.')
    await tx.query('update operator_passkeys set counter = $2, last_used_at = now() where id = $1', [
      Buffer.from(sent.id, 'base64url'),
      authenticationInfo.newCounter,
    ])
    const operator: Operator = { name: passkey.name, via: 'console', signIn: 'passkey' }
    await recordAction(tx, operator, { action: 'console.sign-in' })
    return startSessionFor(tx, 'operator', passkey.name, { ...browser, operatorId: passkey.operatorId })
  })
}

interface EnrolledOperator {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly passkeys: readonly Buffer[]
}

async function findEnrollment(tx: Queryable, token: string): Promise<EnrolledOperator | undefined> {
  const { rows } = await tx.query<EnrolledOperator>(
    `select o.id, o.name, o.role,
       (select coalesce(array_agg(p.id), '{}') from operator_passkeys p where p.operator_id = o.id) as passkeys
     from one_time_links l join operators o on o.id = (l.facts ->> 'operatorId')::uuid
     where l.token_hash = $1 and l.audience = 'enrollment' and l.expires_at > now()`,
    [tokenDigest(token)],
  )
  return rows[0]
}

interface StoredPasskey {
  readonly operatorId: string
  readonly name: string
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
}

async function lockPasskey(tx: Queryable, id: unknown): Promise<StoredPasskey | undefined> {
  if (typeof id !== 'string') return undefined
  const { rows } = await tx.query<StoredPasskey>(
    `select p.operator_id as "operatorId", o.name, p.public_key as "publicKey", p.counter::integer, p.transports
     from operator_passkeys p join operators o on o.id = p.operator_id where p.id = $1 for update of p`,
    [Buffer.from(id, 'base64url')],
  )
  return rows[0]
}

/** 32 bytes that only the holder of the link can know, and that do not tell the link. */
function challengeOfEnrollment(token: string): Buffer {
  return hash('sha256', `passkey ${token}`, 'buffer')
}

/** The challenge that the browser has signed. undefined: it is none of ours. */
function challengeOf({ response }: AuthenticationResponseJSON): string | undefined {
  const { challenge } = parse<{ readonly challenge?: unknown }>(
    Buffer.from(String(response?.clientDataJSON ?? ''), 'base64url').toString(),
  )
  return typeof challenge === 'string' && isToken(challenge) ? challenge : undefined
}

/** @throws {PasskeyRefused} if the text is no object of JSON */
function parse<T extends object>(text: string): T {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as T
  } catch {
    // It is refused below.
  }
  throw new PasskeyRefused('The response is no object of JSON.')
}

/** The library throws what does not fit. */
async function verify<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    throw new PasskeyRefused(error instanceof Error ? error.message : String(error))
  }
}
