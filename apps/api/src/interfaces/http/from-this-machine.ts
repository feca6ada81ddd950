// Whether a request comes from a program or a browser on this machine. Some responses are only for this machine.

import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/**
 * Headers that a proxy adds when it forwards another machine's request. A proxy on this machine connects over loopback, so its requests
 * would otherwise count as local.
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
 * True for a request over loopback, to a loopback name, that no proxy forwarded and no other site's page sent. The host is checked because
 * a page in a local browser may resolve its own name to loopback (DNS rebinding); the origin is checked because CORS lets pages of every
 * site read responses.
 */
export function isFromThisMachine({ raw, headers }: FastifyRequest): boolean {
  if (FORWARDING_HEADERS.some((name) => headers[name] !== undefined)) return false
  // Browsers send Origin with every readable cross-origin request, and with no same-origin GET.
  if (headers.origin !== undefined) return false
  if (/^(?:cross|same)-site$/i.test(String(headers['sec-fetch-site'] ?? ''))) return false
  return isLoopback(raw.socket.remoteAddress ?? '') && isLocalName(headers.host ?? '')
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

/** @param host the Host header, with or without a port */
export function isLocalName(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  return name.toLowerCase() === 'localhost' || isLoopback(name)
}
