// Guesses the form of the dates in a column from all its cells that were read.

import { parseDateForm } from './date-form.ts'

/** The most common first: if a cell fits several, the first counts. */
const DATE_FORMS = [
  'YYYY-MM-DD',
  'M/D/YYYY',
  'M/D/YY',
  'YYYYMMDD',
  'YYYY/MM/DD',
  'M-D-YYYY',
  'MMMM-D-YYYY',
  'MMMM D, YYYY',
  'MMM D, YYYY',
  'D-MMM-YYYY',
  'D-MMM-YY',
  'D MMM YYYY',
  'YYYY-MM-DDTHH:mm:ssZ',
  'YYYY-MM-DDTHH:mm:ss',
  'YYYY-MM-DD HH:mm:ss',
  'YYYYMMDDTHHmmss',
  'M/D/YYYY H:mm',
  'M/D/YYYY h:mm A',
  'M/D/YYYY h:mm:ss A',
  'YYYY',
  // Only if the month would be above 12.
  'D/M/YYYY',
  'D.M.YYYY',
  'D-M-YYYY',
]
/** Forms with the day first, for files in which no cell decides. */
const DAY_FIRST: Readonly<Record<string, string>> = { 'M/D/YYYY': 'D/M/YYYY', 'M-D-YYYY': 'D-M-YYYY' }
const MAX_FORMS = 3

/**
 * The forms that read every cell: one if possible, otherwise up to three. `note` is a comment for the operator, empty if there is nothing
 * to check.
 */
export function guessDateForms(cells: readonly string[]): {
  readonly forms: readonly string[]
  readonly note: string
} {
  const forms: string[] = []
  let unread = [...new Set(cells)]
  while (unread.length > 0 && forms.length < MAX_FORMS) {
    const counts = DATE_FORMS.map((form) => {
      const read = parseDateForm(form)
      return unread.filter((cell) => read(cell) !== undefined).length
    })
    const most = Math.max(...counts)
    if (most === 0) break
    const form = DATE_FORMS[counts.indexOf(most)]!
    const read = parseDateForm(form)
    forms.push(form)
    unread = unread.filter((cell) => read(cell) === undefined)
  }
  if (forms.length === 0)
    return {
      forms: ['YYYY-MM-DD'],
      note: ` # check: the cells are written ${JSON.stringify(cells[0] ?? '')}`,
    }
  if (unread.length > 0)
    return { forms, note: ` # check: some cells are written ${JSON.stringify(unread[0])}` }
  const other = forms.length === 1 ? DAY_FIRST[forms[0]!] : undefined
  const readOther = other === undefined ? undefined : parseDateForm(other)
  const isOpen = readOther !== undefined && cells.every((cell) => readOther(cell) !== undefined)
  return { forms, note: isOpen ? ` # check: no cell decides between this and ${other}` : '' }
}
