import { describe, expect, it } from 'vitest'
import { withMock } from './calls.ts'
import { validCall } from './contract-checks.ts'

const { call } = withMock()

describe('a search of the mock', () => {
  const { path, init } = validCall('searchListings')
  const body = JSON.parse(String(init.body)) as object

  it.each([
    ['of 50 rows is answered at once', { maxItems: 50 }, 200],
    ['of 51 rows is a job', { maxItems: 51 }, 202],
    ['with async is a job', { async: true }, 202],
    ['with zoom-in is a job', { extractionMethod: 'PAGINATION_WITH_ZOOM_IN', maxItems: 10 }, 202],
  ])('%s', async (_, change, status) => {
    const response = await call(path, { ...init, body: JSON.stringify({ ...body, ...change }) })
    await response.arrayBuffer()
    expect(response.status).toBe(status)
  })

  it('is charged by the row, and an accepted job is not charged', async () => {
    expect((await call(path, init)).headers.get('x-credits-charged')).toBe('2')
    const job = await call(path, { ...init, body: JSON.stringify({ ...body, async: true }) })
    expect(job.headers.get('x-credits-charged')).toBe('0')
  })

  it('returns no more rows than were requested', async () => {
    const response = await call(path, { ...init, body: JSON.stringify({ ...body, maxItems: 1 }) })
    const { data, meta } = (await response.json()) as { data: unknown[]; meta: object }
    const whole = (await (await call(path, init)).json()) as { data: unknown[]; meta: object }
    expect([whole.data.length, whole.meta]).toMatchObject([2, { count: 2, total: 2 }])
    expect([data.length, meta]).toEqual([1, { ...whole.meta, count: 1 }])
    expect(response.headers.get('x-credits-charged')).toBe('1')
  })

  it.each([
    ['csv', 'text/csv; charset=utf-8'],
    ['ndjson', 'application/x-ndjson'],
    ['json', 'application/json'],
  ])('returns %s if the query says so, whatever Accept says', async (format, type) => {
    const accept = format === 'csv' ? 'application/json' : 'text/csv'
    const response = await call(`${path}?format=${format}`, init, { accept })
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('x-row-count')).toBe('2')
  })

  it('uses the format that Accept prefers, and JSON if Accept names none', async () => {
    const typeFor = async (accept: string) =>
      (await call(path, init, { accept })).headers.get('content-type')?.split(';')[0]
    expect(await typeFor('text/html, text/csv;q=0.5, application/x-ndjson;q=0.9')).toBe(
      'application/x-ndjson',
    )
    expect(await typeFor('text/html')).toBe('application/json')
    expect(await typeFor('*/*')).toBe('application/json')
    expect(await typeFor('not a media type')).toBe('application/json')
  })

  it('ends the lines of CSV as RFC 4180 says', async () => {
    const text = await (await call(`${path}?format=csv`, init)).text()
    expect(text.split('\r\n')).toHaveLength(4)
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
  })
})

describe('pages of the mock', () => {
  const path = '/v1/jobs/5e0d8c1a-7f43-4d0b-9a52-3c1f6b7e2d90/results'

  it('end for a client that follows has_more', async () => {
    const seen: unknown[] = []
    let pages = 0
    for (let more = true; more && pages < 10; pages++) {
      const page = (await (await call(`${path}?limit=1&offset=${seen.length}`)).json()) as {
        data: unknown[]
        meta: { has_more: boolean }
      }
      seen.push(...page.data)
      more = page.meta.has_more
    }
    expect([pages, seen.length]).toEqual([2, 2])
  })

  it('end for a client that follows Link', async () => {
    let next: string | undefined = `${path}?format=ndjson&limit=1`
    const rows: string[] = []
    for (let pages = 0; next !== undefined && pages < 10; pages++) {
      const response = await call(next)
      rows.push(...(await response.text()).split('\n').filter((line) => line !== ''))
      next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    }
    expect(rows).toHaveLength(2)
  })

  it('after the last row are empty', async () => {
    const response = await call('/v1/jobs?offset=100')
    expect(await response.json()).toMatchObject({
      data: [],
      meta: { count: 0, offset: 100, has_more: false },
    })
    const csv = await call(`${path}?format=csv&offset=100`)
    expect((await csv.text()).split('\r\n')).toHaveLength(2)
  })
})

describe('building units in the mock', () => {
  it('are a job if sync is false', async () => {
    const response = await call(`${validCall('getBuildingUnits').path}&sync=false`)
    expect([response.status, await response.json()]).toMatchObject([202, { data: { status: 'queued' } }])
  })
})

describe('a search with RESO names', () => {
  const { path, init } = validCall('searchListings')
  const asText = async (format: string) => {
    const response = await call(`${path}?shape=reso&format=${format}`, init)
    expect(response.headers.get('x-row-count')).toBe('1')
    return [response.headers.get('content-type')?.split(';')[0], await response.text()] as const
  }

  it('has the same row in JSON, NDJSON, and CSV', async () => {
    const json = await call(`${path}?shape=reso`, init)
    const { value } = (await json.json()) as { value: Record<string, unknown>[] }
    expect(value).toMatchObject([{ ListingKey: '48749425' }])
    const [ndjsonType, ndjson] = await asText('ndjson')
    expect([ndjsonType, JSON.parse(ndjson)]).toEqual(['application/x-ndjson', value[0]])
    const [csvType, csv] = await asText('csv')
    expect([csvType, csv.split('\r\n')[0]]).toEqual(['text/csv', Object.keys(value[0]!).join(',')])
    expect(csv).toContain('"2114 Bigelow Ave N, Seattle, WA 98109"')
  })
})

describe('Prefer: dry-run', () => {
  it.each(['getProperty', 'searchListings', 'createPropertyBatch'] as const)(
    'is answered with an estimate of %s, for free',
    async (id) => {
      const { path, init } = validCall(id)
      const response = await call(path, init, { prefer: 'dry-run' })
      const { data } = (await response.json()) as { data: object }
      const headers = ['preference-applied', 'x-credits-charged', 'content-type'].map((name) =>
        response.headers.get(name),
      )
      expect([response.status, data, headers]).toMatchObject([
        200,
        { operation: id },
        ['dry-run', '0', expect.stringMatching(/estimate\+json/)],
      ])
    },
  )
})

describe('X-Max-Credits', () => {
  const { path, init } = validCall('searchListings')

  it('cuts the rows and reports it', async () => {
    const response = await call(path, init, { 'x-max-credits': '1' })
    const { data, meta } = (await response.json()) as { data: unknown[]; meta: object }
    expect([response.headers.get('x-credits-charged'), data.length]).toEqual(['1', 1])
    expect(meta).toMatchObject({ count: 1, truncated: true, truncated_by: 'max_credits' })
  })

  it('refuses the call if it is below the minimum price', async () => {
    const response = await call(path, init, { 'x-max-credits': '0' })
    const { error } = (await response.json()) as { error: { code: string; details: object } }
    expect([response.status, error.code, error.details]).toEqual([
      402,
      'max_credits_exceeded',
      { required: 1, max_credits: 0 },
    ])
  })
})

describe('an entity tag', () => {
  const path = '/v1/properties/48749425'

  it('makes a repeated call a free 304 and has no effect on another request', async () => {
    const first = await call(path)
    await first.arrayBuffer()
    const tag = first.headers.get('etag')!
    expect(tag).toMatch(/^W\/"[\w-]{32}"$/)
    const again = await call(path, {}, { 'if-none-match': `"x", ${tag}` })
    expect([again.status, again.headers.get('x-credits-charged'), await again.text()]).toEqual([304, '0', ''])
    const other = await call(`${path}?fields=price`, {}, { 'if-none-match': tag })
    await other.arrayBuffer()
    expect(other.status).toBe(200)
  })
})
