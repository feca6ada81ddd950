// Decides about one row of an import: whether it is stored, stored without its address, withheld, or rejected, and what it forbids to show.
// Why: decisions/data/one-verdict-for-each-row.md

import { isObject, readZpid, type UncheckedFields } from '../../domain/record.ts'
import { checkRecord } from '../listings/check-record.ts'
import type { RecordWarning } from '../listings/record-warnings.ts'
import {
  dropRights,
  judgeRights,
  type Restriction,
  type RowWithheldReason,
  rightsFieldsIn,
  statedIn,
  withoutHiddenAddress,
} from '../rights/row-rights.ts'
import { type ListingColumns, toColumns } from '../sources/dataset/listing-columns.ts'
import { contentOf, type SourceRow } from './source-row.ts'

/** A restriction by a row that cannot be used. */
export interface RowRestriction {
  /** undefined: the row names no home. */
  readonly zpid: string | undefined
  readonly what: Restriction
  /** The restriction by values that are understood. */
  readonly plain: Restriction | undefined
}

export type RowVerdict =
  /** `hide`: stored without its address, because its rights forbid to show it. */
  | {
      readonly verdict: 'store' | 'hide'
      readonly listing: ListingColumns
      readonly warnings: readonly RecordWarning[]
    }
  /** Its rights forbid to store it. */
  | {
      readonly verdict: 'withhold'
      readonly zpid: string
      readonly reason: RowWithheldReason
      readonly restriction: RowRestriction
    }
  /** The row cannot be used. Its restriction holds nevertheless. */
  | {
      readonly verdict: 'reject'
      readonly fault: string
      readonly restriction: RowRestriction | undefined
      /** A value that is neither yes nor no: the end of a sentence about the row. */
      readonly unread?: string | undefined
    }

/**
 * How the rights of a row are judged. `judged`: they were judged before. Otherwise the use that the row must permit, and the set of fields
 * that state rights.
 */
export type RightsContext =
  | 'judged'
  | { readonly use: string | undefined; readonly fields: Pick<Set<string>, 'add'> }

export function judgeRow(row: SourceRow, source: string, context: RightsContext): RowVerdict {
  const content = contentOf(row)
  const stated = context === 'judged' ? undefined : (row.rights ?? statedIn(content))
  const rights = stated && context !== 'judged' ? judgeRights(stated, context.use) : undefined
  if (stated && context !== 'judged') for (const field of rightsFieldsIn(stated)) context.fields.add(field)
  const { plain, fault: unread, withheld: reason, isAddressHidden = false } = rights ?? {}
  const zpid = isObject(content) ? readZpid(content.zpid) : undefined
  const what: Restriction | undefined = reason ? 'listing' : isAddressHidden ? 'address' : undefined
  const restriction = what && { zpid, what, plain }

  if ('fault' in row) return { verdict: 'reject', fault: row.fault, restriction, unread }
  if (unread !== undefined) return { verdict: 'reject', fault: unread, restriction, unread }
  if (reason !== undefined && zpid !== undefined)
    return { verdict: 'withhold', zpid, reason, restriction: { zpid, what: 'listing', plain } }
  if (stated && isObject(content)) dropRights(content)
  let checked = checkRecord(content)
  // An address that may not be shown is never stored.
  const bare =
    'record' in checked ? withoutHiddenAddress(checked.record as UncheckedFields, rights) : undefined
  if (bare && 'record' in checked) checked = { ...checkRecord(bare), warnings: checked.warnings }
  if ('fault' in checked) return { verdict: 'reject', fault: checked.fault, restriction }
  const { record, warnings } = checked
  return {
    verdict: what === 'address' ? 'hide' : 'store',
    listing: toColumns(record, source),
    warnings: [...(row.warnings ?? []), ...warnings],
  }
}
