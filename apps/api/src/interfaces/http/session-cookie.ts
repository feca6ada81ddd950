// The session cookie of a browser, and proof that a page of this service sent a form. The portal and the console have separate cookies.

import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isToken } from '../../infrastructure/platform.ts'

export interface SessionCookie {
  /** The session id in the request's cookie; undefined: none, or not in the form of an id. */
  read(request: FastifyRequest): string | undefined
  /** @param seconds how long the browser keeps it; 0 removes it */
  set(reply: FastifyReply, id: string, seconds: number): void
}

/** @param isSecure whether browsers use only https for the service */
export function createSessionCookie(plainName: string, isSecure: boolean): SessionCookie {
  // Browsers accept a cookie with this prefix only over https, for exactly this host, and from no other server.
  const name = isSecure ? `__Host-${plainName}` : plainName
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  return {
    read({ headers }) {
      const pairs = (headers.cookie ?? '').split(/; */).map((pair) => pair.split('=', 2))
      const id = pairs.find(([given]) => given === name)?.[1]
      return id !== undefined && isToken(id) ? id : undefined
    },
    set(reply, id, seconds) {
      reply.header('set-cookie', `${name}=${id}; Max-Age=${seconds}; ${attributes}`)
    },
  }
}

/** Whether a form was created for the session with this token. */
export function isSameToken(expected: string, sent: unknown): boolean {
  if (typeof sent !== 'string') return false
  const [own, given] = [Buffer.from(expected), Buffer.from(sent)]
  return own.length === given.length && timingSafeEqual(own, given)
}

/** Whether the page that sent the request has the same host as the request. */
export function isFromSameHost({ headers: { origin, host } }: FastifyRequest): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false
  // A proxy may terminate https for this service, so the scheme is not compared.
  return new URL(origin).host === host?.toLowerCase()
}
