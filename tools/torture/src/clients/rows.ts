// Rows of an answer, in whichever format they came.

/** How many there are; null where the answer is no list. */
export function countRows(contentType: string, text: string, data: unknown): number | null {
  if (contentType.startsWith('text/csv')) return Math.max(0, parseCsv(text).length - 1)
  if (contentType.startsWith('application/x-ndjson')) return linesOf(text).length
  return Array.isArray(data) ? data.length : null
}

/** The ids of rows: what a batch was asked for, or else the home. */
export function idsOf(format: 'json' | 'csv' | 'ndjson', text: string): string[] {
  if (format === 'csv') {
    const [header = [], ...rows] = parseCsv(text)
    const column = header.includes('input') ? header.indexOf('input') : header.indexOf('zpid')
    return rows.map((row) => row[column] ?? '')
  }
  const rows =
    format === 'json'
      ? (JSON.parse(text) as { data: IdRow[] }).data
      : linesOf(text).map((line) => JSON.parse(line) as IdRow)
  return rows.map(({ input, zpid }) => input ?? String(zpid))
}

interface IdRow {
  readonly input?: string
  readonly zpid?: string
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

/** RFC 4180. */
export function parseCsv(text: string): string[][] {
  const separator = /[,\r\n]/g
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    let value = ''
    if (text[at] === '"') {
      for (at++; at < text.length; at++) {
        if (text[at] !== '"') value += text[at]
        else if (text[at + 1] === '"') value += text[at++]
        else break
      }
      at++
    } else {
      separator.lastIndex = at
      const end = separator.exec(text)?.index ?? text.length
      value = text.slice(at, end)
      at = end
    }
    row.push(value)
    if (text[at] === ',') {
      at++
      if (at === text.length) row.push('')
      continue
    }
    while (text[at] === '\r' || text[at] === '\n') at++
    rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return rows
}
