import { expect, test } from 'vitest'
import { brokerages, givenNames, surnames } from '../src/names.ts'
import { records } from './records.ts'

/** Every text of the sample with the name of the field that holds it. */
function* textsOf(value: unknown, field = ''): Generator<[field: string, text: string]> {
  if (typeof value === 'string') yield [field, value]
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item, field)
  else if (value !== null && typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) yield* textsOf(member, key)
  }
}

const texts = records.flatMap((record) => [...textsOf(record)])

test('phone numbers are in the range reserved for fiction, 555-01xx', () => {
  const numbers = texts.flatMap(([, text]) => text.match(/(?<!\d)\d{3}[-. )]+\d{3}[-. ]\d{4}(?!\d)/g) ?? [])
  expect(numbers.length).toBeGreaterThan(1_000)
  expect(numbers.filter((number) => !/^\d{3}-555-01\d\d$/.test(number))).toEqual([])
})

test('every field named like a phone number contains such a number', () => {
  const numbers = texts.filter(([field]) => /phone/i.test(field)).map(([, text]) => text)
  expect(numbers.length).toBeGreaterThan(1_000)
  expect(numbers.filter((number) => !/^\d{3}-555-01\d\d$/.test(number))).toEqual([])
})

test('email addresses and links use example.com', () => {
  const addresses = texts.flatMap(([, text]) => text.match(/[^\s@]+@[^\s@]+/g) ?? [])
  const hosts = texts.flatMap(([, text]) =>
    [...text.matchAll(/https?:\/\/([^/\s]+)/g)].map((match) => match[1]!),
  )
  expect(addresses.length).toBeGreaterThan(1_000)
  expect(addresses.filter((address) => !address.endsWith('@example.com'))).toEqual([])
  expect(hosts.filter((host) => !host.endsWith('.example.com'))).toEqual([])
})

test('people and companies come from the lists of invented names', () => {
  const people = new Set(givenNames.flatMap((given) => surnames.map((family) => `${given} ${family}`)))
  const personal = /^(agentName|coAgentName|buyerAgentName|memberFullName)$/
  const corporate = /^(brokerName|brokerageName|buyerBrokerageName|officeName)$/
  const named = texts.filter(([field]) => personal.test(field)).map(([, text]) => text)
  const contacts = records.flatMap(({ postingContact }) => postingContact?.name ?? [])
  expect(named.length).toBeGreaterThan(1_000)
  expect([...named, ...contacts].filter((name) => !people.has(name))).toEqual([])
  const firms = texts.filter(([field]) => corporate.test(field)).map(([, text]) => text)
  expect(firms.filter((name) => !brokerages.includes(name))).toEqual([])
})
