// Decides which IP addresses are public. All others are closed to webhooks: this machine, its networks, cloud metadata services,
// and every range that embeds another address, which its gateway could lead anywhere.

import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Addresses in a public range that lead to private services. */
const NON_PUBLIC_EXCEPTIONS: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][] = [
  // Azure's platform services, reachable from every machine there.
  ipaddr.parseCIDR('168.63.129.16/32'),
]

/** The range of all public IPv6 addresses. Ranges that are reserved elsewhere in the future are closed already. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')
/** The range of the retired 6bone. */
const DISCONTINUED_6BONE_NETWORK = ipaddr.parseCIDR('3ffe::/16')

/** Whether `text`, an IPv4 or IPv6 address without brackets, is a public one. False for anything else. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  if (NON_PUBLIC_EXCEPTIONS.some((range) => isWithin(address, range))) return false
  return (
    address.kind() === 'ipv4' ||
    (isWithin(address, GLOBAL_UNICAST) && !isWithin(address, DISCONTINUED_6BONE_NETWORK))
  )
}

/** Whether the address belongs to this machine. Even a public one bypasses any firewall in front. */
export function isOwnAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const wanted = ipaddr.parse(text).toNormalizedString()
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some(({ address }) => ipaddr.parse(address.split('%', 1)[0]!).toNormalizedString() === wanted)
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]) {
  return address.kind() === network.kind() && address.match(network, bits)
}
