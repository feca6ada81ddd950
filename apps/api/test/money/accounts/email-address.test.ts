import { describe, expect, it } from 'vitest'
import { readEmailAddress } from '../../../src/money/accounts/email-address.ts'

const mailboxOf = (text: string) => readEmailAddress(text)?.mailbox

describe('addresses of one mailbox', () => {
  it.each([
    ['case', ['Ana@Example.com', 'ana@example.com', ' ANA@EXAMPLE.COM ']],
    ['tags at any domain', ['ana@example.com', 'ana+news@example.com', 'ana+a+b@example.com']],
    [
      'dots and both domains of Gmail',
      ['ana.lee@gmail.com', 'analee@gmail.com', 'a.n.a.l.e.e+x@googlemail.com', 'AnaLee@GoogleMail.com'],
    ],
    ['tags of Outlook', ['ana.lee@outlook.com', 'ana.lee+x@outlook.com']],
    ['tags of Hotmail', ['ana@hotmail.co.uk', 'ana+x@hotmail.co.uk']],
    ['domains and tags of iCloud', ['ana@icloud.com', 'ana+x@me.com', 'ana@mac.com']],
    ['tags and subdomains of Fastmail', ['ana@fastmail.com', 'ana+x@fastmail.com', 'shop@ana.fastmail.com']],
    [
      'punctuation and domains of Proton',
      ['ana.lee@proton.me', 'ana_lee@protonmail.com', 'ana-lee+x@pm.me', 'analee@protonmail.ch'],
    ],
    ['disposable addresses of Yahoo', ['base@yahoo.com', 'base-shop@yahoo.com', 'base-a-b@yahoo.com']],
    ['domains in Unicode', ['ana@bücher.example', 'ana@xn--bcher-kva.example']],
  ])('are equal: %s', (_name, spellings) => {
    expect([...new Set(spellings.map(mailboxOf))]).toEqual([expect.any(String)])
  })

  it.each([
    ['dots at other providers', ['ana.lee@example.com', 'analee@example.com']],
    ['dots of Outlook', ['ana.lee@outlook.com', 'analee@outlook.com']],
    ['dots of iCloud', ['ana.lee@icloud.com', 'analee@icloud.com']],
    ['dots of Yahoo', ['ana.lee@yahoo.com', 'analee@yahoo.com']],
    ['hyphens outside Yahoo and Proton', ['ana-lee@gmail.com', 'ana@gmail.com']],
    ['one name at Outlook, Hotmail and Live', ['ana@outlook.com', 'ana@hotmail.com', 'ana@live.com']],
    ['one name at two domains of Yahoo', ['ana@yahoo.com', 'ana@yahoo.co.uk']],
    ['a domain that ends like a provider', ['ana.lee@notgmail.com', 'analee@notgmail.com']],
    ['subdomains of other providers', ['ana@lee.gmail.com', 'lee@gmail.com']],
    ['deeper subdomains of Fastmail', ['x@a.ana.fastmail.com', 'a@ana.fastmail.com']],
  ])('are not equal: %s', (_name, addresses) => {
    expect(new Set(addresses.map(mailboxOf)).size).toBe(addresses.length)
  })

  it('do not change the address that mail is sent to', () => {
    expect(readEmailAddress('A.na+Shop@GoogleMail.com')).toEqual({
      address: 'A.na+Shop@googlemail.com',
      mailbox: 'ana@gmail.com',
    })
  })
})

it.each([
  ['', 'ana', 'ana@', '@example.com', 'ana@localhost', 'ana@example', 'a b@example.com', 'ana@exa mple.com'],
  ['ana@example.com\r\nBcc: all@example.com', 'ana\r\n@example.com', 'ana@example.com\nRCPT TO:<b@c.d>'],
  ['a@b.com,c@d.com', 'a@b.com;c@d.com', 'Ana <ana@example.com>', '<ana@example.com>', '"a b"@example.com'],
  [
    'a@b@example.com',
    '.a@example.com',
    'a.@example.com',
    'a..b@example.com',
    'ana@-a.com',
    'ana@[127.0.0.1]',
  ],
  [
    'ana@127.0.0.1',
    'ána@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b.'.repeat(130)}com`,
    'a@b.com\0',
  ],
])('texts that are not the address of one mailbox are refused: %j', (...texts) => {
  expect(texts.filter((text) => readEmailAddress(text) !== undefined)).toEqual([])
})
