import type { Property } from '@lotline/contract'

/** The path of a home that exists only because it is asked for. */
export const MADE_ZPID = /^\/properties\/(\d{13,20})$/

/** A home under this id, like one of those that there are. */
export function madeHome(records: readonly Property[], zpid: string): Property {
  const like = records[Number(BigInt(zpid) % BigInt(records.length))]!
  return { ...like, zpid }
}

/** Of homes that exist only because they are asked for: those that the provider answers with at once, and those that it has to look for. */
export const FIRST_QUICK = 1_000_000_000_000n
export const FIRST_SLOW = 2_000_000_000_000n

export function isSlow(zpid: string): boolean {
  return BigInt(zpid) >= FIRST_SLOW
}
