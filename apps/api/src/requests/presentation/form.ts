// The form of full records, as a client asks for it: which fields, and under which names.

import type { Property } from '@lotline/contract'
import { unknownFields } from '@lotline/contract/checks'
import { parseFields, project } from '../../domain/record.ts'
import { toReso } from '../../domain/reso.ts'
import { isRefusal, type Refusal } from '../../infrastructure/refusals.ts'
import type { Call } from '../engine/call.ts'

export interface RecordForm {
  /** Whether a whole record is sent, as it is stored: it needs no reading. */
  readonly isStored: boolean
  /** Whether a record has all of its fields. */
  readonly isWhole: boolean
  /** Under the names of the RESO Data Dictionary (`shape=reso`). */
  readonly isReso: boolean
  /** The wanted fields of a record, under the names that were asked for. */
  of(record: Property): Property
  /** Names the wanted fields that none of the records has (`meta.ignored`). */
  ignoreUnknown(call: Pick<Call, 'ignore'>, records: readonly Property[]): void
}

export interface FormAsked {
  readonly fields?: string | undefined
  readonly shape?: string | undefined
}

const STORED_FORM: RecordForm = {
  isStored: true,
  isWhole: true,
  isReso: false,
  of: (record) => record,
  ignoreUnknown() {},
}

export function readForm({ fields: names, shape }: FormAsked): RecordForm | Refusal {
  const fields = names === undefined ? undefined : parseFields(names)
  if (isRefusal(fields)) return fields
  const isReso = shape === 'reso'
  if (!fields && !isReso) return STORED_FORM
  return {
    isStored: false,
    isWhole: fields === undefined,
    isReso,
    of: (record) => (isReso ? toReso(project(record, fields), new Date()) : project(record, fields)),
    ignoreUnknown(call, records) {
      if (fields && names) call.ignore(unknownFields(names, records))
    },
  }
}
