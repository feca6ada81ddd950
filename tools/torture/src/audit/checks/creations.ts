// What clients create with an Idempotency-Key is there once, and can be deleted more than once.

import { type Check, groupBy } from '../check.ts'

/** Answers to the same key name the same resource, and the database has no other one of that key. */
export const anIdempotencyKeyCreatesOneResource: Check = ({ records, books }, tell) => {
  const answers = groupBy(records.answer, ({ keyId, idempotencyKey, createdId }) =>
    createdId && idempotencyKey ? `${keyId} ${idempotencyKey}` : null,
  )
  const named = new Map<string, string>()
  for (const [key, seen] of answers) {
    const ids = new Set(seen.map(({ createdId }) => createdId!))
    if (ids.size > 1) tell(`Idempotency-Key ${key} has created ${[...ids].join(' and ')}`)
    named.set(seen[0]!.idempotencyKey!, seen[0]!.createdId!)
  }
  for (const [name, rows] of groupBy(books.created, ({ name }) => name)) {
    const ids = rows.map(({ id }) => id)
    const due = named.get(name)
    if (ids.length > 1) tell(`Idempotency-Key ${name} has created ${ids.join(' and ')}`)
    // A creation without an answer may be there.
    else if (due !== undefined && ids[0] !== due)
      tell(`Idempotency-Key ${name} was answered with ${due} and has created ${ids[0]}`)
  }
  return answers.size
}

/** A DELETE of what was created is never answered as if it had not been there. */
export const deletionsCanBeRepeated: Check = ({ records }, tell) => {
  const created = new Set(records.answer.flatMap(({ createdId }) => createdId ?? []))
  let looked = 0
  const deletions = records.answer.filter(
    ({ method, path }) => method === 'DELETE' && created.has(path.split('/').at(-1)!),
  )
  for (const [path, answers] of groupBy(deletions, ({ path }) => path)) {
    const [first, ...more] = answers.filter(({ status }) => status === 204)
    if (first && more.length > 0) looked++
    const lost = answers.find(({ status }) => status === 404)
    if (lost) tell(`call ${lost.call}, DELETE ${path}, was answered 404`)
  }
  return looked
}
