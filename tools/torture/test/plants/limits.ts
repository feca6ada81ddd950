import { first, type Plant, remove } from './plant.ts'

export const LIMITS: readonly Plant[] = [
  {
    name: 'two calls of a key at work at the same time',
    named: ['one call of a key at a time'],
    change: (_, { query, answer }) => {
      const calls = answer.filter(({ burst, status }) => burst !== undefined && status === 200)
      const [one, other] = calls.filter(({ burst }) => burst === calls[0]!.burst)
      const of = (zpid: string) => first(query, (asked) => asked.zpid === zpid)
      const later = of(other!.ownZpid!)
      later.arrivedAt = of(one!.ownZpid!).endedAt - 0.5
    },
  },
  {
    name: 'a call that overtook another of its key',
    named: ['calls of a key in order of arrival'],
    change: (_, { answer }) => {
      const one = first(answer, ({ burst, status }) => burst !== undefined && status === 200)
      const [burst, later] = ['planted', one.sentAt + 1_000]
      answer.push({ ...one, burst }, { ...one, burst, sentAt: later, headAt: one.headAt - 1 })
    },
  },
  {
    name: 'a call that was charged more than its client allows',
    named: ['no charge above its limit'],
    change: (_, { answer }) => {
      const limited = first(
        answer,
        ({ path, charged }) =>
          (charged ?? 0) > 1 && path.startsWith('/v1/listings?') && !path.includes('max_credits'),
      )
      limited.path += '&max_credits=1'
    },
  },
  {
    name: 'a hold beyond what the client allows',
    named: ['no charge above its limit'],
    change: ({ holds }) => {
      const hold = first(holds, ({ amount }) => amount > 1)
      hold.max_amount = hold.amount - 1
    },
  },
  {
    name: 'a call that was charged more than its header allows',
    named: ['no charge above its limit'],
    change: (_, { answer }) => {
      const limited = first(
        answer,
        ({ maxCredits, charged }) => maxCredits !== undefined && (charged ?? 0) > 0,
      )
      limited.maxCredits = limited.charged! - 1
    },
  },
  {
    name: 'a job that forgot the limit of its header',
    named: ['no charge above its limit'],
    change: ({ holds }, { answer }) => {
      const { jobId } = first(
        answer,
        ({ jobId, maxCredits }) => jobId !== undefined && maxCredits !== undefined,
      )
      first(holds, ({ job_id }) => job_id === jobId).max_amount = null
    },
  },
  {
    name: 'a key that has spent more than its limit',
    named: ['no key above its limit'],
    change: ({ keys }) => {
      const key = first(keys, ({ limit, used }) => limit !== null && used! > 0)
      key.limit = key.used! - 1
    },
  },
  {
    name: 'a limit of a key that has not counted a charge',
    named: ['no key above its limit'],
    change: ({ keys }) => {
      const key = first(keys, ({ limit }) => limit !== null)
      key.used! -= 1
    },
  },
  {
    name: 'a period in which a key has spent more than its limit',
    named: ['no key above its limit'],
    change: ({ periods }) => {
      const period = first(periods, ({ used }) => used > 0)
      period.credits = period.used - 1
    },
  },
  {
    name: 'a period that has not counted a charge',
    named: ['no key above its limit'],
    change: ({ periods }) => {
      first(periods, ({ used }) => used > 0).used -= 1
    },
  },
  {
    name: 'a period that began without an end of the one before',
    named: ['no key above its limit'],
    change: ({ periods }) => {
      const later = first(
        periods,
        ({ limit_id, used }, at) =>
          used > 0 && periods[at - 1]?.limit_id === limit_id && periods[at - 1]!.used > 0,
      )
      remove(periods, later)
    },
  },
  {
    name: 'a call of a connector that was answered after its end',
    named: ['a revoked connector gets nothing more'],
    change: (_, { answer, ended }) => {
      const late = first(answer, ({ keyId, sentAt }) =>
        ended.some((end) => end.keyId === keyId && sentAt > end.endAt),
      )
      late.status = 200
    },
  },
  {
    name: 'a call of a connector that was charged after its end, and whose answer was lost',
    named: ['a revoked connector gets nothing more'],
    change: ({ usage }, { answer, ended }) => {
      const late = first(answer, ({ keyId, sentAt }) =>
        ended.some((end) => end.keyId === keyId && sentAt > end.endAt),
      )
      usage.push({ ...usage[0]!, key_id: late.keyId!, endpoint: late.path })
    },
  },
  {
    name: 'one call more than a minute allows',
    named: ['no window exceeded, as booked', 'no window exceeded, as seen'],
    change: ({ accounts, keys, usage }, { answer }) => {
      const slow = new Set(accounts.filter(({ rate }) => rate === 20).map(({ id }) => id))
      const key = first(keys, ({ account_id }) => slow.has(account_id)).id
      const row = first(usage, ({ key_id }) => key_id === key)
      const call = first(answer, ({ requestId }) => requestId === row.request_id)
      // As many as the plan allows, and one more, so that it does not matter how many calls a slow machine made.
      for (let at = 0; at < 20; at++) {
        usage.push({ ...row, request_id: `one more ${at}` })
        answer.push({ ...call, requestId: `one more ${at}` })
      }
    },
  },
]
