// The replicated source: what the data set has of it in the end, and what is shown of homes that its server forbids to show.

import { streetOf } from '../../feed/replica.ts'
import { type Check, groupBy } from '../check.ts'

/** Whatever went wrong with its server's answers, and however often its reader was killed. */
export const replicaIsTheFeed: Check = ({ feed: { records, books } }, tell) => {
  const wanted = new Map(records.replicated.at(-1)?.records.map(({ key, price }) => [key, price]))
  if (wanted.size === 0) tell('the replicated source was never read to its end')
  const stored = new Set<string>()
  for (const { key, price, kind } of books.replica) {
    if (stored.has(key)) tell(`record ${key} is stored twice`)
    stored.add(key)
    if (!wanted.has(key)) tell(`record ${key} is stored, and its feed has deleted it`)
    else if (price !== wanted.get(key) || kind !== 'for_sale')
      tell(`record ${key} is ${kind} at ${price}, and its feed has it at ${wanted.get(key)}`)
  }
  for (const key of wanted.keys()) if (!stored.has(key)) tell(`record ${key} of the feed is not stored`)
  return books.replica.length
}

/** Neither a lookup nor the results of a job that had found it before. */
export const withheldHomesAreNotShown: Check = ({ feed: { records, books } }, tell) => {
  const { answers, jobRows } = records.shown.at(-1) ?? { answers: [], jobRows: [] }
  const answerOf = new Map(answers.map((answer) => [answer.zpid, answer]))
  const rowsOf = groupBy(jobRows, (row) => String(row.zpid))
  let looked = 0
  for (const { key, zpid, what } of books.withheld) {
    const answer = answerOf.get(zpid)
    const rows = rowsOf.get(zpid) ?? []
    looked += rows.length + (answer ? 1 : 0)
    const secrets = [streetOf(key), '"latitude":43']
    const shown = [...(answer ? [answer.text] : []), ...rows.map((row) => JSON.stringify(row))]
    for (const secret of secrets)
      if (shown.some((text) => text.includes(secret)))
        tell(`home ${zpid} is withheld (${what}), and shown with ${secret}`)
    if (what === 'listing' && answer && answer.status !== 404)
      tell(`home ${zpid} is withheld, and a lookup is answered with ${answer.status}`)
    for (const row of rows)
      if (row.withheld !== what || (what === 'listing' && 'price' in row))
        tell(
          `a row of a job shows of home ${zpid}, which is withheld (${what}): ${Object.keys(row).join(', ')}`,
        )
  }
  for (const what of ['listing', 'address'] as const)
    if (!books.withheld.some((home) => home.what === what && rowsOf.has(home.zpid)))
      tell(`no home that a job has found is withheld (${what})`)
  return looked
}
