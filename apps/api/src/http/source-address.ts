// The address that a request comes from, for limits by address. X-Forwarded-For is believed only as far as proxies that
// the operator named (TRUSTED_PROXIES) have written it: anybody else can send any address in it.

import type { IncomingHttpHeaders } from 'node:http'
import ipaddr from 'ipaddr.js'

/** Addresses and networks, such as `10.0.0.0/8`. */
export type TrustedProxies = readonly string[]

/** What is read of a request. */
export interface Connected {
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly headers: IncomingHttpHeaders
}

/**
 * Reads from the connection backwards: the last address that no trusted proxy has. IPv6 addresses are cut to their /64,
 * which is what one customer has.
 */
export function sourceAddressReader(trusted: TrustedProxies) {
  const networks = trusted.map((text) => networkOf(text)!)
  const isTrusted = (address: Address) =>
    networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits),
    )

  return function sourceAddress({ socket, headers }: Connected): string {
    let address = parse(socket.remoteAddress ?? '')
    // Several headers of the name are one list.
    const forwardedFor = [headers['x-forwarded-for']].flat().join(',')
    if (!address) return ''
    if (networks.length > 0) {
      const hops = forwardedFor.split(',')
      while (isTrusted(address)) {
        const next = parse(hops.pop()?.trim() ?? '')
        if (!next) break
        address = next
      }
    }
    return address.kind() === 'ipv6' ? groupOf(address as ipaddr.IPv6) : address.toString()
  }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** The network that a text names: one address, or a range in CIDR notation. */
export function networkOf(text: string): [Address, number] | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  const address = ipaddr.isValid(text) ? ipaddr.process(text) : undefined
  return address && [address, address.kind() === 'ipv4' ? 32 : 128]
}

function parse(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined
}

function groupOf(address: ipaddr.IPv6): string {
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
