// The homes and buildings of a part of the sample, sorted out for jobs.

import type { Property } from '@lotline/contract'
import { oneLineAddress } from '../../../src/domain/address/record-address.ts'
import { findPathReference, referenceKey } from '../../../src/domain/site-urls/listing-url.ts'
import { SAMPLE } from '../../domain/record/sample-records.ts'

export { SAMPLE }

type SampleProperty = Property & { readonly isBuilding?: boolean; readonly bdpUrl?: string | null }

/** Single homes, each alone at its door. */
export const HOMES: readonly Property[] = homesAlone(SAMPLE)

export function homesAlone(records: readonly Property[]): Property[] {
  const atDoor = new Map<string, number>()
  for (const record of records) {
    const address = oneLineAddress(record) ?? ''
    atDoor.set(address, (atDoor.get(address) ?? 0) + 1)
  }
  return records.filter(
    (record) => !(record as SampleProperty).bdpUrl && atDoor.get(oneLineAddress(record) ?? '') === 1,
  )
}

export interface Building {
  readonly url: string
  readonly parent: Property
  readonly units: readonly Property[]
}

/** The largest first. */
export const BUILDINGS: readonly Building[] = buildingsOf(SAMPLE)

export function buildingsOf(records: readonly Property[]): Building[] {
  const units = new Map<string, Property[]>()
  for (const record of records as readonly SampleProperty[]) {
    const key = keyOf(record.bdpUrl)
    if (key === undefined || record.isBuilding) continue
    units.set(key, [...(units.get(key) ?? []), record])
  }
  return (records as readonly SampleProperty[])
    .filter((record) => record.isBuilding)
    .map((parent) => ({
      url: `https://www.zillow.com${parent.bdpUrl}`,
      parent,
      units: units.get(keyOf(parent.bdpUrl) ?? '') ?? [],
    }))
    .sort((one, other) => other.units.length - one.units.length)
}

function keyOf(path: string | null | undefined): string | undefined {
  const reference = path ? findPathReference(path) : undefined
  return reference && referenceKey(reference)
}
