import type { Property } from '@lotline/contract'
import type { AreaListings, Provider, QueryContext } from '../../../../src/data/sources/provider.ts'
import type { SourceRecord } from '../../../../src/domain/record/source-record.ts'

export interface StubProvider extends Provider {
  /** The signals of all queries so far. */
  readonly asked: readonly AbortSignal[]
}

export const HOME: SourceRecord = {
  record: { zpid: '1', price: 100, latitude: 0.5, longitude: 0.5 } as Property,
  generation: null,
}

/** Returns `answer` for every lookup, and `area` for searches. */
export function createStubProvider(parts: {
  readonly answer?: (asking: QueryContext, count: number) => Promise<unknown>
  readonly area?: () => unknown
}): StubProvider {
  const asked: AbortSignal[] = []
  async function look<T>(asking: QueryContext): Promise<T> {
    asked.push(asking.signal)
    return (await parts.answer?.(asking, asked.length)) as T
  }
  return {
    asked,
    name: 'stub',
    searchCap: 1000,
    findByZpid: (_zpid, asking) => look(asking),
    findByUrl: (_listing, _prefer, asking) => look(asking),
    findByAddress: (_address, _prefer, asking) => look(asking),
    findUnits: (_building, _kind, asking) => look(asking),
    async search(_search, _page, { signal }) {
      asked.push(signal)
      return parts.area?.() as AreaListings
    },
  }
}
