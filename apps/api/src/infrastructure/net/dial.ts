// Dials URLs that customers choose, such as those of webhooks, only at checked addresses: IP literals and every resolved address
// are checked, and exactly a checked address is dialed. The host name is used again only for the certificate. This file never
// follows redirects or uses a proxy.

import { promises as dns } from 'node:dns'
import { isIP, connect as netConnect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { orAborted } from '../platform/or-aborted.ts'
import { NoResponse } from './no-response.ts'
import { isOwnAddress, isPublicAddress } from './public-address.ts'
import { urlHostname } from './webhook-url.ts'

export interface Network {
  /** Whether private addresses and http are allowed. */
  readonly allowPrivateNetworks: boolean
  /** Resolves all addresses of a name. Default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
  /** Certificate authorities in PEM to trust instead of the usual ones. */
  readonly ca?: string
  /** Opens a socket to a checked address. Default: node:net. */
  readonly connect?: (address: string, port: number) => Socket
}

/** Addresses of a name that are tried. */
const MAX_ADDRESSES = 4
/** The next address is tried after this time. The last one has all the remaining time. */
const NEXT_ADDRESS_AFTER_MS = 4_000

const NOT_PUBLIC = 'The host of the webhook does not resolve to a public address.'
const NOT_HTTPS = 'The url of the webhook must begin with https://.'

/**
 * Opens a connection for the URL, including the TLS handshake. Rejects with the signal's reason when it aborts.
 *
 * @throws {NoResponse} with a sentence that may be shown to the owner of the webhook
 */
export async function dial(url: URL, network: Network, signal: AbortSignal): Promise<Socket> {
  const addresses = await findTargets(urlHostname(url), network, signal)
  // The webhook was created while private networks were allowed.
  if (url.protocol !== 'https:' && !network.allowPrivateNetworks) throw new NoResponse(NOT_HTTPS)
  for (const [index, address] of addresses.entries()) {
    const isLast = index === addresses.length - 1
    try {
      return await connect(url, address, network, signal, isLast ? undefined : NEXT_ADDRESS_AFTER_MS)
    } catch (error) {
      if (isLast || signal.aborted) throw error
    }
  }
  throw new NoResponse(NOT_PUBLIC)
}

/**
 * Returns the addresses to dial, all of them checked. One private address refuses the name, because it may lead into the private
 * network.
 */
async function findTargets(host: string, network: Network, signal: AbortSignal): Promise<readonly string[]> {
  const addresses = isIP(host) ? [host] : await resolve(host, network, signal)
  // The message is the same for names that do not exist, so that it reveals nothing about names of the private network.
  if (addresses.length === 0) throw new NoResponse(NOT_PUBLIC)
  if (!network.allowPrivateNetworks) {
    if (!addresses.every((address) => isPublicAddress(address) && !isOwnAddress(address))) {
      throw new NoResponse(NOT_PUBLIC)
    }
  }
  return addresses.slice(0, MAX_ADDRESSES)
}

async function resolve(host: string, network: Network, signal: AbortSignal): Promise<readonly string[]> {
  const find = network.resolve ?? (network.allowPrivateNetworks ? resolveAsSystem : resolveByDns)
  return orAborted(
    find(host).catch(() => []),
    signal,
  )
}

// A resolver without threads: the system's resolver occupies one of four threads while a name server is silent, so four names of
// a silent server would block all other work that needs a thread.
const resolver = new dns.Resolver({ timeout: 3_000, tries: 2 })

async function resolveByDns(host: string): Promise<readonly string[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return [four, six].flatMap((found) => (found.status === 'fulfilled' ? found.value : []))
}

/** Names of private networks may exist only in /etc/hosts. */
async function resolveAsSystem(host: string): Promise<readonly string[]> {
  return (await dns.lookup(host, { all: true })).map(({ address }) => address)
}

/** Connects to a checked address. */
export function connectDirectly(address: string, port: number): Socket {
  return netConnect({ host: address, port, autoSelectFamily: false, noDelay: true })
}

function connect(
  url: URL,
  address: string,
  { ca, connect: connectTcp = connectDirectly }: Network,
  signal: AbortSignal,
  timeoutMs: number | undefined,
): Promise<Socket> {
  return new Promise((done, failed) => {
    const isTls = url.protocol === 'https:'
    const port = Number(url.port || (isTls ? 443 : 80))
    const tcp = connectTcp(address, port)
    // The user of the socket handles its errors; this listener covers the TCP connection below TLS, and late errors.
    tcp.on('error', () => {})
    const host = urlHostname(url)
    const socket = isTls
      ? connectTls({
          socket: tcp,
          // The certificate check uses no server name if the host is an IP address.
          ...(isIP(host) ? { host } : { host, servername: host }),
          ALPNProtocols: ['http/1.1'],
          rejectUnauthorized: true,
          ...(ca !== undefined && { ca }),
        })
      : tcp
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => end(new NoResponse('It took too long.')), timeoutMs)
    const end = (error: unknown) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      socket.removeListener('close', closed)
      socket.on('error', () => {})
      socket.destroy()
      tcp.destroy()
      failed(signal.aborted ? signal.reason : NoResponse.of(error))
    }
    const abort = () => end(signal.reason)
    const closed = () => end(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
    signal.addEventListener('abort', abort, { once: true })
    tcp.once('error', end)
    if (isTls) socket.once('error', end)
    socket.once('close', closed)
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      tcp.removeListener('error', end)
      socket.removeListener('error', end)
      socket.removeListener('close', closed)
      done(socket)
    })
    if (signal.aborted) abort()
  })
}
