// The source address of a request, for limits by address. X-Forwarded-For is trusted only as far as proxies that the operator named
// (TRUSTED_PROXIES) have written it: other clients can send any address in it.

import type { IncomingHttpHeaders } from 'node:http'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/** Addresses and networks, such as `10.0.0.0/8`. */
export type TrustedProxies = readonly string[]

/** The parts of a request that determine its address. */
export interface ConnectedRequest {
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly headers: IncomingHttpHeaders
}

/** Cached parses of addresses: parsing takes microseconds, and an attacker repeats the same addresses. */
const MAX_REMEMBERED = 10_000
/** The length of the longest address text (IPv6 with an embedded IPv4). */
const MAX_ADDRESS_LENGTH = 45

interface Hop {
  /** The address, or the network that counts as one address. */
  readonly source: string
  readonly isTrusted: boolean
}

/**
 * Reads backwards from the connection: returns the last address that does not belong to a trusted proxy. IPv6 addresses are cut to their
 * /64, the network of one customer.
 */
export function sourceAddressReader(trusted: TrustedProxies) {
  const networks = trusted.map((text) => networkOf(text)!)
  const remembered = new LRUCache<string, Hop>({ max: MAX_REMEMBERED })

  function hopOf(text: string): Hop | undefined {
    const known = remembered.get(text)
    if (known) return known
    const address = text.length > MAX_ADDRESS_LENGTH ? undefined : parse(text)
    if (!address) return undefined
    const isTrusted = networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits),
    )
    const source = address.kind() === 'ipv6' ? groupOf(address as ipaddr.IPv6) : address.toString()
    const hop = { source, isTrusted }
    remembered.set(text, hop)
    return hop
  }

  return function sourceAddress({ socket, headers }: ConnectedRequest): string {
    let hop = hopOf(socket.remoteAddress ?? '')
    if (!hop?.isTrusted) return hop?.source ?? ''
    // Several headers of this name form one list.
    const hops = [headers['x-forwarded-for']].flat().join(',').split(',')
    while (hop.isTrusted) {
      const next = hopOf(hops.pop()?.trim() ?? '')
      if (!next) break
      hop = next
    }
    return hop.source
  }
}

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

/** Parses one address, or a range in CIDR notation. */
function networkOf(text: string): [IpAddress, number] | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  const address = ipaddr.isValid(text) ? ipaddr.process(text) : undefined
  return address && [address, address.kind() === 'ipv4' ? 32 : 128]
}

function parse(text: string): IpAddress | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined
}

function groupOf(address: ipaddr.IPv6): string {
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
