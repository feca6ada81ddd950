import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dial, type Network } from '../../../src/infrastructure/net/dial.ts'
import { makeAuthority, makeCertificate } from '../../setup/certificate.ts'
import { startReceiver, until } from '../../setup/receiver.ts'
import { INWARD_ADDRESSES, INWARD_HOSTS } from './addresses.ts'

const PUBLIC = '93.184.216.34'
const NOT_PUBLIC = 'The host of the webhook does not resolve to a public address.'
const NOT_HTTPS = 'The url of the webhook must begin with https://.'
const never = new AbortController().signal
const authority = await makeAuthority()
const ca = authority.cert

/** A network of public addresses, where every connection ends at a port of this machine. */
function internetAt(port: number, resolve: (host: string) => string | readonly string[]) {
  const asked: string[] = []
  const dialled: string[] = []
  const network: Network = {
    allowPrivateNetworks: false,
    ca,
    resolve: async (host) => {
      asked.push(host)
      return [resolve(host)].flat()
    },
    connect: (address) => {
      dialled.push(address)
      return connectTcp(port, '127.0.0.1')
    },
  }
  return { network, asked, dialled }
}

async function open(url: string, network: Network): Promise<Socket> {
  const socket = await dial(new URL(url), network, never)
  onTestFinished(() => void socket.destroy())
  return socket
}

describe('no connection is made', () => {
  it.each(INWARD_HOSTS)('to %s (%s), even if its webhook is in the database', async (host) => {
    const { network, dialled } = internetAt(1, () => [])
    await expect(dial(new URL(`https://${host}/`), network, never)).rejects.toThrow(NOT_PUBLIC)
    expect(dialled).toEqual([])
  })

  it.each(INWARD_ADDRESSES)('for a name that resolves to %j', async (address) => {
    const { network, dialled } = internetAt(1, () => address)
    await expect(dial(new URL('https://hooks.example.com/'), network, never)).rejects.toThrow(NOT_PUBLIC)
    expect(dialled).toEqual([])
  })

  it.each(INWARD_ADDRESSES)('for a name with one public address and one that is %j', async (address) => {
    for (const addresses of [
      [PUBLIC, address],
      [address, PUBLIC],
    ]) {
      const { network, dialled } = internetAt(1, () => addresses)
      await expect(dial(new URL('https://hooks.example.com/'), network, never)).rejects.toThrow(NOT_PUBLIC)
      expect(dialled).toEqual([])
    }
  })

  it('for a name without an address, with the same error', async () => {
    const { network } = internetAt(1, () => [])
    await expect(dial(new URL('https://hooks.example.com/'), network, never)).rejects.toThrow(NOT_PUBLIC)
  })

  it('over plain HTTP, even if the webhook was created while that was allowed', async () => {
    const { network, dialled } = internetAt(1, () => PUBLIC)
    for (const host of ['hooks.example.com', 'hooks.example.com:443', PUBLIC]) {
      await expect(dial(new URL(`http://${host}/`), network, never)).rejects.toThrow(NOT_HTTPS)
    }
    expect(dialled).toEqual([])
  })

  it('on this machine with the network as it is', async () => {
    const receiver = await startReceiver()
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]']) {
      const url = new URL(`http://${host}:${receiver.port}/`)
      await expect(dial(url, { allowPrivateNetworks: false }, never)).rejects.toThrow(NOT_PUBLIC)
    }
    expect(receiver.connections).toBe(0)
  })
})

describe('a connection', () => {
  it('goes to exactly the checked address, even if the name later resolves to another one', async () => {
    const certificate = await makeCertificate({ host: 'hooks.example.com', issuer: authority })
    const receiver = await startReceiver(undefined, { tls: certificate })
    let lookUps = 0
    const { network, asked, dialled } = internetAt(receiver.port, () =>
      lookUps++ === 0 ? PUBLIC : '127.0.0.1',
    )
    const socket = await open('https://hooks.example.com/', network)
    expect(asked).toEqual(['hooks.example.com'])
    expect(dialled).toEqual([PUBLIC])
    // The name is used for the certificate all the same.
    expect((socket as TLSSocket).servername).toBe('hooks.example.com')
    await expect(open('https://hooks.example.com/', network)).rejects.toThrow(NOT_PUBLIC)
    expect(dialled).toEqual([PUBLIC])
  })

  it('is verified against the name without its final dot, as certificates contain it', async () => {
    const certificate = await makeCertificate({ host: 'hooks.example.com', issuer: authority })
    const receiver = await startReceiver(undefined, { tls: certificate })
    const { network, asked } = internetAt(receiver.port, () => PUBLIC)
    const socket = await open('https://HOOKS.example.com.:443/', network)
    expect(asked).toEqual(['hooks.example.com'])
    expect((socket as TLSSocket).servername).toBe('hooks.example.com')
  })

  it("is verified against the certificate's address if the URL has an address", async () => {
    const certificate = await makeCertificate({ host: PUBLIC, issuer: authority })
    const receiver = await startReceiver(undefined, { tls: certificate })
    const { network, asked, dialled } = internetAt(receiver.port, () => [])
    await open(`https://${PUBLIC}/`, network)
    expect([asked, dialled]).toEqual([[], [PUBLIC]])
  })

  it('goes to the next address if one refuses', async () => {
    const receiver = await startReceiver()
    const { network, dialled } = internetAt(receiver.port, () => ['1.1.1.1', PUBLIC])
    const connect = (address: string) => {
      dialled.push(address)
      return connectTcp(address === PUBLIC ? receiver.port : 1, '127.0.0.1')
    }
    await open('http://hooks.example.com/', { ...network, connect, allowPrivateNetworks: true })
    expect(dialled).toEqual(['1.1.1.1', PUBLIC])
  })
})

describe('a receiver is refused if its certificate', () => {
  const day = 86_400_000
  const badCertificates = {
    'has expired': {
      certificate: () =>
        makeCertificate({
          host: 'hooks.example.com',
          issuer: authority,
          notBefore: new Date(Date.now() - 10 * day),
          notAfter: new Date(Date.now() - day),
        }),
      sentence: 'The certificate of the receiver has expired.',
    },
    'is not valid yet': {
      certificate: () =>
        makeCertificate({
          host: 'hooks.example.com',
          issuer: authority,
          notBefore: new Date(Date.now() + day),
          notAfter: new Date(Date.now() + 2 * day),
        }),
      sentence: 'The certificate of the receiver is not valid yet.',
    },
    'is for another name': {
      certificate: () => makeCertificate({ host: 'other.example.com', issuer: authority }),
      sentence: 'The certificate of the receiver is for another name.',
    },
    'is signed by itself': {
      certificate: () => makeCertificate({ host: 'hooks.example.com' }),
      sentence: 'The certificate of the receiver is signed by itself.',
    },
    'is signed by a stranger': {
      certificate: async () =>
        makeCertificate({ host: 'hooks.example.com', issuer: await makeAuthority('Stranger') }),
      sentence:
        'The certificate of the receiver is signed by an authority that is not trusted, or the chain is not complete.',
    },
  }

  it.each(Object.entries(badCertificates))('%s', async (_name, { certificate, sentence }) => {
    const receiver = await startReceiver(undefined, { tls: await certificate() })
    const { network } = internetAt(receiver.port, () => PUBLIC)
    await expect(dial(new URL('https://hooks.example.com/'), network, never)).rejects.toThrow(sentence)
    expect(receiver.events).toHaveLength(0)
  })

  it('is missing, because it does not speak TLS', async () => {
    const receiver = await startReceiver()
    const { network } = internetAt(receiver.port, () => PUBLIC)
    await expect(dial(new URL('https://hooks.example.com/'), network, never)).rejects.toThrow(
      'The TLS handshake failed.',
    )
  })
})

describe('a dial that is aborted', () => {
  it.each(['the resolver', 'the handshake'])('ends immediately while it waits for %s', async (what) => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => sockets.push(socket.on('error', () => {}).resume()))
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void silent.close())
    const { network } = internetAt((silent.address() as AddressInfo).port, () => PUBLIC)
    const resolve = () => new Promise<readonly string[]>(() => {})
    const controller = new AbortController()
    const dialling = dial(
      new URL('https://hooks.example.com/'),
      { ...network, ...(what === 'the resolver' && { resolve }) },
      controller.signal,
    )
    setTimeout(() => controller.abort(new Error('given up')), 50)
    await expect(dialling).rejects.toThrow('given up')
    await until(() => sockets.every((socket) => socket.destroyed || socket.readableEnded))
    for (const socket of sockets) socket.destroy()
  })
})
