// What clients saw against what is booked.

import { operations } from '@lotline/contract'
import type { AnswerRecord } from '../../records.ts'
import type { UsageRow } from '../books.ts'
import { type Check, groupBy, sum } from '../check.ts'
import type { Evidence } from '../evidence.ts'
import { isPricedByRow } from './ledger.ts'

interface BookedAnswer {
  readonly answer: AnswerRecord
  readonly rows: readonly UsageRow[]
}

function* booked({ records, books }: Evidence): Generator<BookedAnswer> {
  const rows = groupBy(books.usage, ({ request_id }) => request_id)
  for (const answer of records.answer) {
    yield { answer, rows: (answer.requestId && rows.get(answer.requestId)) || [] }
  }
}

function isSuccess({ status }: AnswerRecord): boolean {
  return status >= 200 && status < 300
}

function nameOf({ call, method, path, status, requestId }: AnswerRecord): string {
  return `call ${call}, ${method} ${path} → ${status} (${requestId})`
}

/** Every success has its usage row, once; the call that started a chained job has one for each stage. */
export const successHasOneUsageRow: Check = (evidence, tell) => {
  let looked = 0
  for (const { answer, rows } of booked(evidence)) {
    if (!isSuccess(answer)) continue
    looked++
    const [row] = rows
    // A call that got the job of an earlier call is a call of its own, without stages.
    const hasStarted = row?.job_id != null
    const stages = answer.operation
      ? operations[answer.operation].price.stages.map(({ stage }) => stage)
      : [null]
    const due = hasStarted ? stages : [null]
    const isRight =
      rows.length === due.length &&
      due.every((stage) => rows.some((one) => one.stage === stage)) &&
      rows.every(
        ({ key_id, endpoint, operation, status_code }) =>
          key_id === answer.keyId &&
          endpoint === answer.path.split('?')[0] &&
          operation === answer.operation &&
          status_code === answer.status,
      )
    if (!isRight) tell(`${nameOf(answer)} has ${rows.length} usage rows: ${JSON.stringify(rows)}`)
  }
  return looked
}

export const creditsSeenAreBooked: Check = (evidence, tell) => {
  let looked = 0
  for (const { answer, rows } of booked(evidence)) {
    if (!isSuccess(answer)) continue
    looked++
    const due = answer.status === 202 ? 0 : sum(rows, ({ credits_charged }) => credits_charged)
    if (answer.charged !== due)
      tell(`${nameOf(answer)} said ${answer.charged} credits, and ${due} are booked`)
  }
  return looked
}

/** A search in an area returns and charges homes in it only. Whether all of them come is judged by jobs (`resultsAreWhole`). */
export const rowsAreInTheirArea: Check = ({ records }, tell) => {
  let looked = 0
  for (const answer of records.answer) {
    if (answer.outside === undefined) continue
    looked++
    if (answer.outside.length > 0) tell(`${nameOf(answer)} has homes outside its area: ${answer.outside}`)
  }
  return looked
}

/** A building's own record is free beside its units. Alone it is a row like any other. */
const WITH_PARENT = new Set(['getBuildingUnits', 'getPropertyByUrl'])

export const rowsSeenAreBooked: Check = (evidence, tell) => {
  let looked = 0
  for (const { answer, rows } of booked(evidence)) {
    const { operation, status, rows: seen } = answer
    if (status !== 200 || seen === null || !operation || !isPricedByRow(operation)) continue
    looked++
    const units = sum(rows, (row) => row.units)
    const isRight = units === seen || (WITH_PARENT.has(operation) && seen > 1 && units === seen - 1)
    if (!isRight) tell(`${nameOf(answer)} showed ${seen} rows, and ${units} are booked`)
  }
  return looked
}

export const failuresAreFree: Check = (evidence, tell) => {
  let looked = 0
  for (const { answer, rows } of booked(evidence)) {
    if (isSuccess(answer)) continue
    looked++
    const cost = sum(rows, ({ credits_charged }) => credits_charged)
    if (cost !== 0 || (answer.charged ?? 0) !== 0) {
      tell(`${nameOf(answer)} said ${answer.charged} credits, and ${cost} are booked`)
    }
    if (rows.length > 1) tell(`${nameOf(answer)} has ${rows.length} usage rows`)
  }
  return looked
}

/** What may be answered to whatever is sent, before it is known what is meant. */
const ANYWHERE = new Set([400, 401, 404, 405, 408, 413, 414, 415, 431])

/** Whatever happens, every answer is one that the contract knows, and none is a breakdown of our own. */
export const answersAreDocumented: Check = ({ records }, tell) => {
  for (const answer of records.answer) {
    const { operation, status, code, whole } = answer
    const documented = operation ? operations[operation].statuses[status] : undefined
    if (status === 500) tell(`${nameOf(answer)} broke down`)
    else if (whole && status >= 400 && code === null)
      tell(`${nameOf(answer)} is not in the envelope of errors`)
    else if (!documented && !ANYWHERE.has(status) && status < 500)
      tell(`${nameOf(answer)} is not in the contract`)
    else if (documented && whole && status >= 400 && !documented.errors.some((known) => known === code)) {
      if (!ANYWHERE.has(status)) tell(`${nameOf(answer)} has the code ${code}, which is not in the contract`)
    }
  }
  return records.answer.length
}
