import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { isOwnAddress, isPublicAddress } from '../../../src/infrastructure/net/public-address.ts'
import { parseWebhookUrl } from '../../../src/infrastructure/net/webhook-url.ts'
import { BAD_URLS, INWARD_ADDRESSES, INWARD_HOSTS, PUBLIC_HOSTS } from './addresses.ts'

describe('creating a webhook is refused for', () => {
  it.each(INWARD_HOSTS)('%s (%s)', (host) => {
    expect(parseWebhookUrl(`https://${host}/hook`, false)).toMatchObject({
      refused: true,
      code: 'invalid_url',
    })
    expect(parseWebhookUrl(`https://${host}:8443`, false)).toMatchObject({ code: 'invalid_url' })
  })

  it.each(BAD_URLS)('%j (%s)', (url) => {
    expect(parseWebhookUrl(url, false)).toMatchObject({ refused: true, code: 'invalid_url' })
  })
})

describe('creating a webhook is refused, with or without private networks, for', () => {
  it.each([22, 25, 110, 3306, 5432, 6379, 6667, 11211, 27017])(
    'port %i, which is not used for HTTP',
    (port) => {
      for (const allowPrivateNetworks of [false, true])
        expect(parseWebhookUrl(`https://hooks.example.com:${port}/`, allowPrivateNetworks)).toMatchObject({
          code: 'invalid_url',
          message: expect.stringContaining(`port ${port}`),
        })
    },
  )

  it.each([
    'hooks.invalid',
    'HOOKS.Invalid.',
    'a.b.onion',
    'hooks.alt',
    'hooks..example.com',
    `${'a'.repeat(64)}.example.com`,
    `${'abc.'.repeat(64)}com`,
  ])('%s, which no resolver finds', (host) => {
    for (const allowPrivateNetworks of [false, true])
      expect(parseWebhookUrl(`https://${host}/`, allowPrivateNetworks)).toMatchObject({
        code: 'invalid_url',
        message: expect.stringContaining('can be resolved'),
      })
  })
})

describe('a webhook can be created for', () => {
  it.each(PUBLIC_HOSTS)('%s', (host) => {
    expect(parseWebhookUrl(`https://${host}/hook?a=b#c`, false)).toBeInstanceOf(URL)
  })
})

describe('with private networks allowed', () => {
  it.each(INWARD_HOSTS)('%s (%s) is accepted, also over http', (host) => {
    expect(parseWebhookUrl(`http://${host}/hook`, true)).toBeInstanceOf(URL)
  })

  it.each(['ftp://10.0.0.1/', 'http://user@10.0.0.1/', 'http://10.0.0.1/a b'])(
    '%s is still refused',
    (url) => {
      expect(parseWebhookUrl(url, true)).toMatchObject({ code: 'invalid_url' })
    },
  )
})

describe('an address is public', () => {
  it.each(INWARD_ADDRESSES)('unless it is %j', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each(['8.8.8.8', '1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4001:80e::200e'])(
    '%s is not',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  it('unless it is an address of this machine', () => {
    const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
    expect(own.length).toBeGreaterThan(0)
    for (const { address } of own) expect(isOwnAddress(address)).toBe(true)
    expect(isOwnAddress('8.8.8.8')).toBe(false)
  })
})
