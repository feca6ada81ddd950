// The prices of plans and packs: the file that BILLING_FILE names. Its manual is the guide "Plans and payment".

import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse, YAMLParseError } from 'yaml'
import { ConfigError } from '../../infrastructure/config.ts'
import type { PlanId } from '../accounts/plans.ts'

/** Plans that customers can buy. Free costs nothing, and the terms of custom are agreed with the operator. */
export type SoldPlan = Exclude<PlanId, 'free' | 'custom'>

export interface Pack {
  readonly id: string
  readonly credits: number
  /** The price in hundredths of the currency. */
  readonly price: number
}

export interface PriceList {
  /** ISO 4217, lower case, such as usd. */
  readonly currency: string
  /** The price of one cycle, in hundredths of the currency. A plan that is not listed cannot be bought. */
  readonly plans: Readonly<Partial<Record<SoldPlan, number>>>
  /** The packs in the order of the file. */
  readonly packs: readonly Pack[]
}

interface PriceFile {
  readonly currency: string
  readonly plans?: Readonly<Partial<Record<SoldPlan, number>>>
  readonly packs?: readonly Pack[]
}

/** The highest price, in whole units of the currency. */
const MAX_PRICE = 900_000
const SOLD_PLANS: readonly SoldPlan[] = ['monthly', 'annual']
const PRICE_SCHEMA = { type: 'number', minimum: 0.5, maximum: MAX_PRICE }
const PRICE_LIST_SCHEMA = {
  type: 'object',
  required: ['currency'],
  additionalProperties: false,
  properties: {
    currency: { type: 'string', pattern: '^[a-zA-Z]{3}$' },
    plans: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(SOLD_PLANS.map((plan) => [plan, PRICE_SCHEMA])),
    },
    packs: {
      type: 'array',
      maxItems: 50,
      items: {
        type: 'object',
        required: ['id', 'credits', 'price'],
        additionalProperties: false,
        properties: {
          id: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,39}$' },
          credits: { type: 'integer', minimum: 1, maximum: 1_000_000_000 },
          price: PRICE_SCHEMA,
        },
      },
    },
  },
}

/**
 * Reads and checks the file, which is YAML or JSON.
 *
 * @throws {ConfigError} with all problems of the file
 */
export function readPriceList(path: string): PriceList {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError([`BILLING_FILE ${path} cannot be read: ${(error as Error).message}.`])
  }
  return parsePriceList(text, path)
}

/** `name` is the name of the file in messages. */
export function parsePriceList(text: string, name: string): PriceList {
  let file: unknown
  try {
    file = parse(text)
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error
    throw new ConfigError([`BILLING_FILE ${name} is not YAML: ${error.message.split('\n')[0]}`])
  }
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile<PriceFile>(PRICE_LIST_SCHEMA)
  if (!validate(file)) {
    throw new ConfigError(
      validate.errors!.map(
        ({ instancePath, message, params }) =>
          `BILLING_FILE ${name}: ${instancePath.slice(1) || 'the file'} ${message}${
            params.additionalProperty === undefined ? '' : `: ${params.additionalProperty}`
          }.`,
      ),
    )
  }
  const problems = findPriceFaults(file)
  if (problems.length > 0)
    throw new ConfigError(problems.map((problem) => `BILLING_FILE ${name}: ${problem}`))
  const { currency, plans: prices = {}, packs = [] } = file
  return {
    currency: currency.toLowerCase(),
    plans: Object.fromEntries(Object.entries(prices).map(([plan, price]) => [plan, toHundredths(price)])),
    packs: packs.map((pack) => ({ ...pack, price: toHundredths(pack.price) })),
  }
}

function findPriceFaults({ currency, plans: prices = {}, packs = [] }: PriceFile): string[] {
  const problems: string[] = []
  if (!hasHundredths(currency)) {
    problems.push(`currency is ${currency}, but it needs the ISO 4217 code of a currency with two decimals.`)
  }
  const named = [
    ...Object.entries(prices).map(([plan, price]) => [`plans/${plan}`, price] as const),
    ...packs.map(({ price }, at) => [`packs/${at}/price`, price] as const),
  ]
  for (const [place, price] of named) {
    if (Math.abs(price * 100 - toHundredths(price)) > 1e-6)
      problems.push(`${place} is ${price}, but it needs at most two decimals.`)
  }
  const twice = packs.find(({ id }, at) => packs.findIndex((pack) => pack.id === id) < at)
  if (twice) problems.push(`packs has the id ${twice.id} twice.`)
  // An upgrade is a change to a plan with a higher price. It begins immediately, so it must not grant less than the plan before.
  if (prices.monthly !== undefined && prices.annual !== undefined && prices.annual <= prices.monthly) {
    problems.push('plans/annual must have a higher price than plans/monthly, because it grants more credits.')
  }
  if (named.length === 0) problems.push('it has neither plans nor packs.')
  return problems
}

function toHundredths(price: number): number {
  return Math.round(price * 100)
}

function hasHundredths(currency: string): boolean {
  if (!Intl.supportedValuesOf('currency').includes(currency.toUpperCase())) return false
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits === 2
}

/** A readable price, such as `$49.00`. */
export function priceText(price: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(price / 100)
}
