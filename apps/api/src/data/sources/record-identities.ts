// Maps the records of a source to their zpids, in the table record_identities. Rows are never changed or deleted, so a zpid never means
// another home.

/**
 * SQL of a statement, or of a part of one, that gives records their zpids, unless they have one.
 *
 * @param rows SQL of rows (source, source_key, zpid)
 */
export function identifyRecords(rows: string): string {
  return `insert into record_identities (source, source_key, zpid) ${rows} on conflict do nothing`
}
