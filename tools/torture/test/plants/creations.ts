import { first, type Plant } from './plant.ts'

export const CREATIONS: readonly Plant[] = [
  {
    name: 'a repeated creation that is answered with another resource',
    named: ['an Idempotency-Key creates one resource'],
    change: (_, { answer }) => {
      const seen = first(answer, ({ createdId }) => createdId !== undefined)
      answer.push({ ...seen, createdId: 'another' })
    },
  },
  ...(['webhook', 'watch', 'key'] as const).map(
    (kind): Plant => ({
      name: `a ${kind} that a repeated creation has made once more`,
      named: ['an Idempotency-Key creates one resource'],
      change: ({ created }, { answer }) => {
        const operation = ({ webhook: 'createWebhook', watch: 'createWatch', key: 'createKey' } as const)[
          kind
        ]
        const seen = first(answer, (one) => one.operation === operation && one.createdId !== undefined)
        created.push({ id: 'another', name: seen.idempotencyKey! })
      },
    }),
  ),
  {
    name: 'a resource that is there twice, of a creation whose answers were lost',
    named: ['an Idempotency-Key creates one resource'],
    change: ({ created }) => {
      for (const id of ['one', 'another']) created.push({ id, name: 'createsOnce-1-0' })
    },
  },
  {
    name: 'a second DELETE that finds nothing',
    named: ['a DELETE can be repeated'],
    change: (_, { answer }) => {
      const created = new Set(answer.map(({ createdId }) => createdId))
      const deleted = first(
        answer,
        ({ method, path, status }) =>
          method === 'DELETE' && status === 204 && created.has(path.split('/').at(-1)!),
      )
      answer.push({ ...deleted, status: 404 })
    },
  },
]
