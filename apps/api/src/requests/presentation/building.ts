// The units of a building, as full records or as rows. The building's own record comes first where there is one. It is no unit
// and not counted; it is free beside units, and charged as a row where there are none.

import type { BuildingUnit, Property } from '@lotline/contract'
import type { BuildingListings, SourceDirectory } from '../../data/sources.ts'
import { type UnitKind, zpidText } from '../../domain/record.ts'
import { toParentRow, toUnitRow } from '../../domain/search.ts'
import type { Call } from '../engine/call.ts'
import type { Body, PricedResult } from '../engine/operation-result.ts'
import type { RecordForm } from './form.ts'
import { resoResult } from './reso-result.ts'
import { bodyVersion } from './version.ts'

export interface BuildingDeps {
  readonly sources: SourceDirectory
}

/** Full records. */
export function presentUnitRecords(
  { sources }: BuildingDeps,
  building: BuildingListings,
  form: RecordForm,
  call: Call,
) {
  const { units } = building
  const parent = building.parent ? [building.parent] : []
  const { one: source, besideOne } = sources.describeBuilding(building, new Date())
  form.ignoreUnknown(call, [...parent, ...units])
  const shown = (record: Property, name: 'source' | 'X_Source') => {
    // A whole record names its office itself.
    const own = besideOne(zpidText(record), form.isWhole)
    return { ...form.of(record), ...(own && { [name]: own }) }
  }
  if (form.isReso) {
    const charged = units.length === 0 ? parent : units
    return resoResult(
      charged.map((record) => shown(record, 'X_Source')),
      source,
    )
  }
  const body = (granted: number) => ({
    data: [...parent, ...units.slice(0, granted)].map((record) => shown(record, 'source')),
    meta: { count: Math.min(granted, units.length), ...(source && { source }) },
  })
  return unitsResult(units.length || parent.length, body, units.length)
}

export interface UnitRowsAsked {
  readonly kind: UnitKind
  /** How many units are on the pages before. */
  readonly begin: number
  /** Whether it is the first page: the building's own record is not sent again. */
  readonly isFirst: boolean
  /** The cursor of the units behind the first `sent` ones of the building. */
  cursorBehind(sent: number): string
}

/** A page of rows. */
export function presentUnitRows(
  { sources }: BuildingDeps,
  building: BuildingListings,
  { kind, begin, isFirst, cursorBehind }: UnitRowsAsked,
) {
  const { one: source, besideOne } = sources.describeBuilding(building, new Date())
  const shown = (row: BuildingUnit): BuildingUnit => {
    const own = besideOne(row.zpid, false)
    return own ? { ...row, source: own } : row
  }
  const parent = building.parent && isFirst ? [shown(toParentRow(building.parent))] : []
  const units = building.units.slice(begin).map((unit) => shown(toUnitRow(unit)))
  const body = (granted: number) => ({
    data: { units: [...parent, ...units.slice(0, granted)] },
    meta: {
      count: Math.min(granted, units.length),
      include_units: kind,
      ...(granted < units.length && { next_cursor: cursorBehind(begin + granted) }),
      ...(source && { source }),
    },
  })
  return unitsResult(units.length || parent.length, body, units.length)
}

/** @param all how many units there are */
function unitsResult<Answer extends Body>(
  charged: number,
  body: (granted: number) => Answer,
  all: number,
): PricedResult<200, Answer> {
  return { status: 200, units: charged, body, data: { version: bodyVersion(body(all)) } }
}
