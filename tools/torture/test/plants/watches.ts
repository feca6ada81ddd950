import type { FeedBooks } from '../../src/audit/feed-evidence.ts'
import type { FeedRecords, SeenEvent } from '../../src/feed/records.ts'
import type { WatchName } from '../../src/feed/watches.ts'
import { type Changeable, first, type Plant, remove } from './plant.ts'

const REMOTE = 'over a remote source, events are what complete searches show'

export const WATCHES: readonly Plant[] = [
  {
    name: 'a record of a replicated source that is missing',
    named: ['a replicated source ends as its feed'],
    changeFeed: ({ replica }) => void replica.pop(),
  },
  {
    name: 'a record of a replicated source that is stored twice',
    named: ['a replicated source ends as its feed'],
    changeFeed: ({ replica }) => void replica.push({ ...replica[0]! }),
  },
  {
    name: 'an old price of a replicated source',
    named: ['a replicated source ends as its feed'],
    changeFeed: ({ replica }) => {
      replica[0]!.price = 1
    },
  },
  {
    name: 'a record that the feed of a replicated source has deleted',
    named: ['a replicated source ends as its feed'],
    changeFeed: ({ replica }) => void replica.push({ ...replica[0]!, key: 'gone' }),
  },
  ...(['listing', 'address'] as const).flatMap((what): Plant[] => [
    {
      name: `a lookup that shows a home whose ${what} is withheld`,
      named: ['a withheld home is not shown'],
      changeFeed: ({ withheld }, { shown }) => {
        const { answers } = shown[0]!
        const open = first(
          answers,
          ({ zpid, text }) => text.includes(' Bay R') && !withheld.some((home) => home.zpid === zpid),
        )
        first(withheld, (home) => home.what === what).zpid = open.zpid
      },
    },
    {
      name: `a row of a job that shows a home whose ${what} is withheld`,
      named: ['a withheld home is not shown'],
      changeFeed: ({ withheld }, { shown }) => {
        // One that the feed had deleted before the job began has no row.
        const isOne = (zpid: unknown) => withheld.some((home) => home.what === what && home.zpid === zpid)
        delete first(shown[0]!.jobRows, (row) => isOne(row.zpid)).withheld
      },
    },
  ]),
  {
    name: 'a change of a home that no file has',
    named: ['the log of changes is what was imported'],
    changeFeed: ({ changes }) => {
      first(changes, ({ after }) => after !== null).after!.price = 1
    },
  },
  {
    name: 'an imported change that is not in the log',
    named: ['the log of changes is what was imported'],
    changeFeed: ({ changes }) => void changes.pop(),
  },
  {
    name: 'an import that is in the log in two parts',
    named: ['the log of changes is what was imported'],
    changeFeed: ({ changes }) => {
      changes.at(-1)!.version += 1
    },
  },
  {
    name: 'an import that is in the log twice',
    named: ['the log of changes is what was imported'],
    changeFeed: ({ changes }) => {
      const last = changes.at(-1)!
      for (const change of changes.filter(({ version }) => version === last.version))
        changes.push({ ...change, version: last.version + 1, seq: change.seq + 1_000 })
    },
  },
  {
    name: 'a number of the log that a reader could overtake',
    named: ['the log of changes is what was imported'],
    changeFeed: ({ changes }) => {
      const [last, before] = [changes.at(-1)!, changes.at(-2)!]
      ;[last.seq, before.seq] = [before.seq, last.seq]
    },
  },
  {
    name: 'an event that is missing',
    named: ['events are the changes of each import'],
    changeFeed: (_, records) => void lastPage(records, 'all').pop(),
  },
  {
    name: 'an event without a change',
    named: ['events are the changes of each import'],
    changeFeed: (_, records) => {
      const page = lastPage(records, 'all')
      page.push({ ...page[0]!, seq: page.length + 1 })
    },
  },
  {
    name: 'an event with the wrong price',
    named: ['events are the changes of each import'],
    changeFeed: (_, records) => {
      const event = first(lastPage(records, 'all'), ({ type }) => type === 'listing.price_changed')
      event.current = { price: 1 }
    },
  },
  {
    name: 'an event of changes that were reversed',
    named: ['after a pause, events are the net change'],
    changeFeed(_, records) {
      const { watchId, events } = pageOf(records, 'flipped')
      events.push({ ...lastPage(records, 'all')[0]!, watch_id: watchId, seq: 1 })
    },
  },
  {
    name: 'a change during a pause that was lost',
    named: ['after a pause, events are the net change'],
    changeFeed: (_, records) => void lastPage(records, 'resumed').pop(),
  },
  {
    name: 'a change during a lack of credits that was reported twice',
    named: ['after a pause, events are the net change'],
    changeFeed: (_, records) => {
      const page = lastPage(records, 'poor')
      page.push(first(page, ({ type }) => type === 'listing.removed'))
    },
  },
  {
    name: 'a number that was used twice',
    named: ['events are numbered once, without a gap'],
    changeFeed: ({ events }) => {
      first(events, ({ seq }) => seq === 2).seq = 1
    },
  },
  {
    name: 'a number that readers have seen with another event',
    named: ['events are numbered once, without a gap'],
    changeFeed: (_, { events }) => {
      first(events, (page) => !page.isLast).events[0]!.id = 'evt_another'
    },
  },
  {
    name: 'an event that has changed since it was read',
    named: ['events are numbered once, without a gap'],
    changeFeed: (_, { events }) => {
      first(events, (page) => !page.isLast).events[0]!.current = { price: 7 }
    },
  },
  {
    name: 'an event that was not charged',
    named: ['an event costs one credit, in one usage row'],
    changeFeed: ({ usage }) => {
      first(usage, ({ endpoint }) => endpoint === 'watch').units -= 1
    },
  },
  {
    name: 'an event whose usage row is that of no event',
    named: ['an event costs one credit, in one usage row'],
    changeFeed: (books) => {
      const row = first(books.usage, ({ endpoint }) => endpoint === 'watch')
      const posting = first(books.postings, ({ request_id }) => request_id === row.request_id)
      row.request_id = posting.request_id = 'req_01M7WTCCYGB0Y2BEHPASE5TR8W'
    },
  },
  {
    name: 'an event that was charged twice',
    named: ['an event costs one credit, in one usage row'],
    changeFeed: (books) => {
      const row = first(books.usage, ({ endpoint }) => endpoint === 'watch')
      books.usage.push({ ...row, request_id: 'req_again' })
      const posting = first(books.postings, ({ request_id }) => request_id === row.request_id)
      books.postings.push({ ...posting, request_id: 'req_again' })
    },
  },
  {
    name: 'an event that took the last credit',
    named: ['events never take the last credit'],
    changeFeed: ({ postings }) => {
      first(postings, ({ kind }) => kind === 'charge').amount -= 10_000_000
    },
  },
  {
    name: 'an event that no webhook was sent',
    named: ['webhooks are sent the log of events'],
    changeFeed: ({ sent }) => void sent.pop(),
  },
  {
    name: 'an event that was written to be sent twice',
    named: ['webhooks are sent the log of events'],
    changeFeed: ({ sent }) => void sent.push({ ...sent[0]!, id: 'evt_again' }),
  },
  {
    name: 'a delivery that differs from the log',
    named: ['webhooks are sent the log of events'],
    changeFeed: (_, { delivery }) => {
      const changes = first(delivery, ({ body }) => body.includes('"watch.changes"'))
      changes.body = changes.body.replaceAll('"listing.', '"home.')
    },
  },
  {
    name: 'events that no receiver has accepted and that count as delivered',
    named: ['webhooks are sent the log of events'],
    changeFeed: (_, { delivery }) => {
      for (const one of delivery) one.answered = 'refused'
    },
  },
  {
    name: 'a home that a watch does not know',
    named: ['watches know what a search finds'],
    changeFeed: ({ homes }) => remove(homes, homes[0]!),
  },
  {
    name: 'a removed home that is still there',
    named: ['watches know what a search finds'],
    changeFeed: ({ listings }) => void listings.push({ ...listings[0]!, zpid: '999' }),
  },
  {
    name: 'changes that were never evaluated',
    named: ['watches know what a search finds'],
    changeFeed(books: Changeable<FeedBooks>) {
      // The position may be beyond the last change: a statement that is undone uses up its numbers.
      books.position = books.changes.at(-1)!.seq - 1
    },
  },
  {
    name: 'a removal from a remote source that was missed once only',
    named: [REMOTE],
    changeFeed: (_, { remoteSearch }) => {
      // The second of two searches without some homes was never made.
      const sizes = remoteSearch.map(({ homes }) => homes.length)
      const at = sizes.findIndex((size, place) => place > 1 && size === sizes[place - 1] && size < sizes[0]!)
      remoteSearch.splice(at, 1)
    },
  },
  {
    name: 'an event of a search that lost many homes at once',
    named: [REMOTE],
    changeFeed: (_, { remoteEvents }) => {
      const { events } = first(remoteEvents, (page) => page.name === 'area' && page.events.length > 0)
      events.push({ ...first(events, ({ type }) => type === 'listing.removed'), seq: events.length + 1 })
    },
  },
  {
    name: 'an event over a remote source that was not charged',
    named: [REMOTE],
    changeFeed: (_, _records, { usage }) =>
      remove(
        usage,
        first(usage, ({ endpoint }) => endpoint === 'watch'),
      ),
  },
  {
    name: 'a home that a watch over a remote source has forgotten',
    named: [REMOTE],
    changeFeed: (_, _records, { homes }) => void homes.pop(),
  },
]

/** The last reading of a watch. */
function pageOf({ created, events }: Changeable<FeedRecords>, name: WatchName) {
  const id = created[0]!.ids[name]
  return first(events, ({ watchId, isLast }) => watchId === id && isLast)
}

function lastPage(records: Changeable<FeedRecords>, name: WatchName): Changeable<SeenEvent>[] {
  return pageOf(records, name).events
}
