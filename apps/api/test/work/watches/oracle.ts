// Computes the expected reports of a watch from the records and from two complete searches, without the service's code.

/** A record as a test imports it. */
export type TestRecord = Readonly<Record<string, unknown>>

/** What is in the data set after a transaction, and which homes the search of the watch finds then. */
export interface DataSet {
  readonly records: ReadonlyMap<string, TestRecord>
  readonly found: ReadonlySet<string>
}

export interface ExpectedEvent {
  readonly zpid: string
  readonly type: string
  readonly reason?: string
  readonly changed: readonly string[]
  readonly previous: object
  readonly current: object
  readonly change?: { readonly amount: number; readonly percent: number | null }
}

/** The last reported state of a home, which remains after its removal. */
interface LastReport {
  readonly status: string
  readonly price: number | null
}

const statusOf = (record: TestRecord): string => {
  const isPending = (record.listingSubType as { isPending?: boolean } | null)?.isPending === true
  switch (record.homeStatus) {
    case 'FOR_RENT':
      return 'for_rent'
    case 'SOLD':
    case 'RECENTLY_SOLD':
      return 'sold'
    case 'OFF_MARKET':
      return 'off_market'
    case 'PENDING':
      return 'pending'
    case 'COMING_SOON':
      return isPending ? 'pending' : 'coming_soon'
    default:
      return isPending ? 'pending' : 'for_sale'
  }
}
const priceOf = (record: TestRecord) => (record.price as number | null | undefined) ?? null

/** The list of a home: homes for sale, pending homes, and homes coming soon are on the same list. */
const listOf = (record: TestRecord | undefined): string => {
  const status = record ? statusOf(record) : 'none'
  return ['pending', 'coming_soon'].includes(status) ? 'for_sale' : status
}

/** The events of one watch, transaction by transaction. All homes that leave come back within 90 days, if at all. */
/** @param findsPending whether the search finds pending homes too: a home that it does not find any more left for another reason */
export function createOracle(baseline: DataSet, findsPending: boolean) {
  const reported = new Map<string, LastReport>()
  for (const zpid of baseline.found) {
    const record = baseline.records.get(zpid)!
    reported.set(zpid, { status: statusOf(record), price: priceOf(record) })
  }
  let before = baseline

  /** What the transaction that made this data set must cause, in the order of the zpids. */
  return function expect(after: DataSet): ExpectedEvent[] {
    const zpids = [...new Set([...before.found, ...after.found])].sort()
    const events = zpids.flatMap((zpid) => expectOfHome(zpid, before, after, reported, findsPending) ?? [])
    before = after
    return events
  }
}

function expectOfHome(
  zpid: string,
  before: DataSet,
  after: DataSet,
  reported: Map<string, LastReport>,
  findsPending: boolean,
): ExpectedEvent | undefined {
  const [was, is] = [before.found.has(zpid), after.found.has(zpid)]
  const record = after.records.get(zpid)
  const last = reported.get(zpid)
  const now: LastReport = {
    status: record ? statusOf(record) : 'off_market',
    price: (record && priceOf(record)) ?? last?.price ?? null,
  }
  reported.set(zpid, now)
  if (!last) {
    const current = { status: now.status, ...(now.price !== null && { price: now.price }) }
    const reason = listOf(before.records.get(zpid)) === listOf(record) ? 'entered_filters' : 'listed'
    return { zpid, type: 'listing.new', reason, changed: ['presence'], previous: {}, current }
  }
  const facts = compare(last, now, was === is ? [] : ['presence'])
  if (!was) return { zpid, type: 'listing.back_on_market', ...facts }
  if (!is)
    return { zpid, type: 'listing.removed', reason: removalReason(last, record, findsPending), ...facts }
  if (facts.changed.includes('status')) return { zpid, type: 'listing.status_changed', ...facts }
  if (facts.changed.includes('price')) return { zpid, type: 'listing.price_changed', ...facts }
  return undefined
}

function removalReason(last: LastReport, record: TestRecord | undefined, findsPending: boolean): string {
  if (!record) return 'taken_down'
  const status = statusOf(record)
  if (status === 'off_market') return 'withdrawn'
  const reasons = findsPending ? ['sold'] : ['sold', 'pending']
  return status !== last.status && reasons.includes(status) ? status : 'left_filters'
}

function compare(last: LastReport, now: LastReport, changed: readonly string[]) {
  const hasStatus = last.status !== now.status
  const hasPrice = last.price !== null && now.price !== null && last.price !== now.price
  const amount = hasPrice ? now.price! - last.price! : 0
  const percent = last.price ? Math.round((amount / last.price) * 10_000) / 100 : null
  return {
    changed: [...changed, ...(hasStatus ? ['status'] : []), ...(hasPrice ? ['price'] : [])],
    previous: { ...(hasStatus && { status: last.status }), ...(hasPrice && { price: last.price }) },
    current: { ...(hasStatus && { status: now.status }), ...(hasPrice && { price: now.price }) },
    ...(hasPrice && { change: { amount, percent } }),
  }
}
