// Whether a request comes from a program or a browser on this machine: what only this machine may see is shown to those.

import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/**
 * What a proxy adds when it passes on another machine's request. A proxy on this machine connects from loopback, so its
 * requests would otherwise count as this machine's own.
 */
const FORWARDING_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
] as const

/**
 * True for a request over loopback, to a loopback name, that no proxy forwarded and no other site's page sent. The host is
 * checked because a page in a browser here may have had its own name resolved to loopback; the origin, because CORS lets
 * pages of every site read answers.
 */
export function isFromThisMachine({ raw, headers }: FastifyRequest): boolean {
  if (FORWARDING_HEADERS.some((name) => headers[name] !== undefined)) return false
  // A browser sends Origin with every request across origins that a page could read, and with no same-origin GET.
  if (headers.origin !== undefined) return false
  if (/^(?:cross|same)-site$/i.test(String(headers['sec-fetch-site'] ?? ''))) return false
  return isLoopback(raw.socket.remoteAddress ?? '') && isLocalName(headers.host ?? '')
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

/** @param host as in the header, with or without a port */
export function isLocalName(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  return name.toLowerCase() === 'localhost' || isLoopback(name)
}
