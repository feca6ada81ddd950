// Promises of an answer whose rows can be iterated as well. Awaited, such a call is its first answer; iterated, it is
// all rows that follow from it, however many pages that takes and whether or not a job has to be waited for.

/** Await it for the answer, or iterate it for the rows. */
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

/**
 * @param findNext asks for the page that follows one; undefined when it is the last. `read` counts the rows up to its end
 * @param idOf what tells rows apart in a list that grows at its head meanwhile, which moves rows to a later page
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
