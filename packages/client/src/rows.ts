// Promises of a response whose rows can also be iterated. If you await such a call, you get its first response. If you
// iterate over it, you get all rows, over all pages, and after the job if there is one.

/** Await it for the response, or iterate it for the rows. */
export type AsyncRows<Answer, Row> = Promise<Answer> & AsyncIterable<Row>

/** Await it for the first page, iterate it for all rows, or iterate `pages()`. */
export interface Pages<Page, Row> extends Promise<Page>, AsyncIterable<Row> {
  /** All pages, the first included. */
  pages(): AsyncIterable<Page>
}

export function withRows<Answer, Row>(
  answer: Promise<Answer>,
  iterate: () => AsyncIterator<Row>,
): AsyncRows<Answer, Row> {
  return Object.assign(answer, { [Symbol.asyncIterator]: iterate })
}

/** A page of a list that is read by cursor alone. */
interface CursorPage<Row> {
  readonly data: readonly Row[]
  readonly meta: { readonly next_cursor?: string }
}

/** All pages of a list that is read by cursor. @param ask gets the page behind a cursor */
export function withCursorPages<Page extends CursorPage<Row>, Row extends { id: unknown }>(
  first: Promise<Page>,
  ask: (cursor: string) => Promise<Page>,
): Pages<Page, Row> {
  return withPages<Page, Row>(
    first,
    ({ meta }) => (meta.next_cursor === undefined ? undefined : ask(meta.next_cursor)),
    ({ id }) => id,
  )
}

/**
 * @param findNext gets the next page; undefined after the last one. `read` is the number of rows so far
 * @param idOf identifies a row, because new rows at the head of a list move others to a later page meanwhile
 */
export function withPages<Page extends { data: readonly Row[] }, Row>(
  first: Promise<Page>,
  findNext: (page: Page, read: number) => Promise<Page> | undefined,
  idOf?: (row: Row) => unknown,
): Pages<Page, Row> {
  async function* pages() {
    let page: Page | undefined = await first
    for (let read = 0; page; page = await findNext(page, read)) {
      read += page.data.length
      yield page
    }
  }
  async function* rows() {
    const seen = new Set<unknown>()
    for await (const { data } of pages()) {
      for (const row of data) {
        if (idOf && seen.size === seen.add(idOf(row)).size) continue
        yield row
      }
    }
  }
  return Object.assign(first, { pages, [Symbol.asyncIterator]: rows })
}
