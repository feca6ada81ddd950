// The cookie of a session in a browser, and how forms prove that a page of this service sent them. The portal and the console each have
// a cookie of their own.

import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isToken } from '../../infrastructure/platform.ts'

export interface SessionCookie {
  /** The id in the request's cookie; undefined: it has none, or one that no session can have. */
  read(request: FastifyRequest): string | undefined
  /** @param seconds for how long the browser keeps it; 0 removes it */
  set(reply: FastifyReply, id: string, seconds: number): void
}

/** @param isSecure whether browsers reach the service by https only */
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

/** Whether a form was made for the session that has this token. */
export function isSameToken(expected: string, sent: unknown): boolean {
  if (typeof sent !== 'string') return false
  const [own, given] = [Buffer.from(expected), Buffer.from(sent)]
  return own.length === given.length && timingSafeEqual(own, given)
}

/** Whether a page sent the request that was loaded from the host that the request went to. */
export function isFromSameHost({ headers: { origin, host } }: FastifyRequest): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false
  // A proxy may speak https for this service, so the scheme says nothing.
  return new URL(origin).host === host?.toLowerCase()
}
