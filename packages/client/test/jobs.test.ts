// Following jobs: waiting, progress, pages, and text over several pages.

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { JobFailedError, Lotline } from '../src/index.ts'
import { accepted, RECEIPT, type Responder, startLoopback, success } from './loopback.ts'

/** A service that answers by path. */
async function start(routes: Readonly<Record<string, Responder[]>>) {
  const asks: Record<string, number> = {}
  const loopback = await startLoopback((response, asked) => {
    const path = asked.url.split('?')[0]!
    const answers = routes[path]!
    const at = asks[path] ?? 0
    asks[path] = at + 1
    answers[Math.min(at, answers.length - 1)]!(response, asked)
  })
  return { ...loopback, lotline: new Lotline({ apiKey: 'k', baseUrl: loopback.url, maxRetries: 0 }) }
}

function job(status: string, facts: object = {}): Responder {
  return success({ data: { id: 'a', status, error: null, ...facts } })
}

/** Pages of a result of `total` rows, cut as the query says. */
function results(total: number): Responder {
  return (response, { url }) => {
    const query = new URL(url, 'http://x').searchParams
    const limit = Number(query.get('limit') ?? 100)
    // Each cursor of this service is the number of rows before its page.
    const offset = Number(query.get('cursor') ?? query.get('offset') ?? 0)
    const rows = Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, n) => ({
      zpid: `${offset + n}`,
    }))
    const hasMore = offset + rows.length < total
    const headers = {
      ...RECEIPT,
      'x-row-count': rows.length,
      'x-total-count': total,
      ...(hasMore && { link: `</v1/jobs/a/results?offset=${offset + limit}>; rel="next"` }),
    }
    const format = query.get('format')
    if (format === 'csv') {
      const lines = rows.length > 0 ? ['zpid,"a\n""name"""', ...rows.map(({ zpid }) => `${zpid},`), ''] : []
      response.writeHead(200, { ...headers, 'content-type': 'text/csv' }).end(lines.join('\r\n'))
    } else if (format === 'ndjson') {
      const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
      response.writeHead(200, { ...headers, 'content-type': 'application/x-ndjson' }).end(text)
    } else {
      const next = hasMore && { next_cursor: `${offset + rows.length}` }
      const meta = { count: rows.length, total, limit, offset, has_more: hasMore, ...next }
      success({ data: rows, meta })(response, {} as never)
    }
  }
}

describe('waiting for a job', () => {
  it('polls until the job succeeds and reports each poll', async () => {
    const { lotline } = await start({ '/v1/jobs/a': [job('queued'), job('running'), job('succeeded')] })
    const told: string[] = []
    const ended = await lotline.jobs.wait('a', {
      async onProgress({ status }) {
        await sleep(1)
        told.push(status)
      },
    })
    expect([ended.status, told]).toEqual(['succeeded', ['queued', 'running', 'succeeded']])
  })

  it.each(['failed', 'timed_out', 'aborted'])('throws the job when it has %s', async (status) => {
    const error = { code: 'upstream_error', message: 'The source failed.' }
    const { lotline } = await start({ '/v1/jobs/a': [job(status, { error })] })
    const thrown = await lotline.jobs.wait('a').catch((reason: unknown) => reason)
    expect(thrown).toBeInstanceOf(JobFailedError)
    expect(thrown).toMatchObject({ code: `job_${status}`, details: error, job: { id: 'a', status } })
    expect(String(thrown)).toContain('The source failed.')
  })

  it('throws the job if it ended with a status that this version does not know', async () => {
    const ended = job('cancelled', { error: null, completed_at: '2026-11-20T00:00:00Z' })
    const { lotline } = await start({ '/v1/jobs/a': [job('paused', { completed_at: null }), ended] })
    const thrown = await lotline.jobs.wait('a').catch((reason: unknown) => reason)
    expect(thrown).toBeInstanceOf(JobFailedError)
    expect(thrown).toMatchObject({ job: { id: 'a', status: 'cancelled' } })
  })

  it('stops when the signal is aborted', async () => {
    const { lotline, asked } = await start({ '/v1/jobs/a': [job('running')] })
    const controller = new AbortController()
    const waiting = lotline.jobs.wait('a', {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    })
    await expect(waiting).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
    expect(asked.length).toBe(1)
  })

  it('stops when the callback throws', async () => {
    const { lotline } = await start({ '/v1/jobs/a': [job('running')] })
    const waiting = lotline.jobs.wait('a', {
      onProgress() {
        throw new Error('enough')
      },
    })
    await expect(waiting).rejects.toThrow('enough')
  })
})

describe('a search call', () => {
  it('starts a job, waits for it, and streams the rows of all pages', async () => {
    const { lotline, asked } = await start({
      '/v1/properties/batch': [accepted('a')],
      '/v1/jobs/a': [job('succeeded')],
      '/v1/jobs/a/results': [results(2_300)],
    })
    const zpids = []
    for await (const row of lotline.properties.batch({ urls: ['u'] })) zpids.push(row.zpid)
    expect(zpids).toEqual(Array.from({ length: 2_300 }, (_, n) => `${n}`))
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /v1/properties/batch',
      'GET /v1/jobs/a',
      'GET /v1/jobs/a/results?limit=1000',
      'GET /v1/jobs/a/results?limit=1000&cursor=1000',
      'GET /v1/jobs/a/results?limit=1000&cursor=2000',
    ])
  })

  it('only starts the job when it is awaited', async () => {
    const { lotline, asked } = await start({ '/v1/properties/batch': [accepted('a')] })
    const { job: started, data } = await lotline.properties.batch({ urls: ['u'] })
    expect([started.id, data.status, asked.length]).toEqual(['a', 'queued', 1])
  })

  it('throws the same error when it is iterated as when it is awaited', async () => {
    const { lotline } = await start({ '/v1/properties/batch': [(response) => response.writeHead(402).end()] })
    const rows = lotline.properties.batch({ urls: ['u'] })[Symbol.asyncIterator]()
    await expect(rows.next()).rejects.toMatchObject({ status: 402 })
  })

  it('requests no further page after the reader stops', async () => {
    const { lotline, asked } = await start({ '/v1/jobs/a/results': [results(5_000)] })
    for await (const row of lotline.jobs.results('a')) if (row.zpid === '50') break
    expect(asked.length).toBe(1)
  })
})

describe('result pages', () => {
  it('are requested one by one: the first with the given limit, the others with the maximum', async () => {
    const { lotline, asked } = await start({ '/v1/jobs/a/results': [results(1_250)] })
    const counts = []
    for await (const { data, meta } of lotline.jobs.results('a').pages())
      counts.push([data.length, meta.offset])
    expect(counts).toEqual([
      [100, 0],
      [1_000, 100],
      [150, 1_100],
    ])
    expect(asked[0]!.url).toBe('/v1/jobs/a/results')
  })

  it('use the limit and the offset that were requested', async () => {
    const { lotline, asked } = await start({ '/v1/jobs/a/results': [results(10)] })
    const zpids = []
    for await (const { zpid } of lotline.jobs.results('a', { limit: 4, offset: 1 })) zpids.push(zpid)
    expect(zpids).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
    expect(asked.length).toBe(3)
  })

  it('of a growing list return each row once', async () => {
    const page = (ids: number[], offset: number, more: boolean) =>
      success({
        data: ids.map((id) => ({ id })),
        meta: { count: ids.length, limit: 3, offset, has_more: more, ...(more && { next_cursor: 'c' }) },
      })
    const { lotline } = await start({
      '/v1/jobs': [page([9, 8, 7], 0, true), page([8, 7, 6], 3, true), page([5], 6, false)],
    })
    const ids = []
    for await (const { id } of lotline.jobs.list({ limit: 3 })) ids.push(id)
    expect(ids).toEqual([9, 8, 7, 6, 5])
  })

  it('of the usage end with the page that has no cursor', async () => {
    const rows = (from: number, count: number) => Array.from({ length: count }, (_, n) => ({ id: from - n }))
    const { lotline, asked } = await start({
      '/v1/usage': [
        success({ data: rows(250, 100), meta: { next_cursor: 'c', kept_since: null } }),
        success({ data: rows(151, 151), meta: { kept_since: null } }),
      ],
    })
    const ids = []
    for await (const { id } of lotline.account.usage()) ids.push(id)
    expect(ids.length).toBe(250)
    expect(new Set(ids).size).toBe(250)
    expect(asked.map(({ url }) => url)).toEqual(['/v1/usage', '/v1/usage?limit=1000&cursor=c'])
  })

  it('of each list are read by cursor to the last page', async () => {
    const pages = [
      success({ data: [{ id: 2, value: '2' }], meta: { next_cursor: 'c' } }),
      success({ data: [{ id: 1, value: '1' }], meta: {} }),
    ]
    const paths = [
      '/v1/watches',
      '/v1/webhooks',
      '/v1/webhooks/a/deliveries',
      '/v1/keys',
      '/v1/usage/summary',
    ]
    const { lotline, asked } = await start(Object.fromEntries(paths.map((path) => [path, pages])))
    const { watches, webhooks, keys, account } = lotline
    const lists = [
      watches.list({ limit: 1 }),
      webhooks.list({ limit: 1 }),
      webhooks.deliveries('a', { limit: 1 }),
      keys.list({ limit: 1 }),
      account.usageSummary({ limit: 1 }),
    ]
    for (const list of lists) {
      let rows = 0
      for await (const _ of list) rows += 1
      expect(rows).toBe(2)
    }
    const wanted = paths.flatMap((path) => [`${path}?limit=1`, `${path}?limit=1&cursor=c`])
    expect(asked.map(({ url }) => url).toSorted()).toEqual(wanted.toSorted())
  })
})

describe('a text result', () => {
  it('is one CSV over all pages, with one header row', async () => {
    const { lotline, asked } = await start({ '/v1/jobs/a/results': [results(2_500)] })
    const csv = await lotline.jobs.results('a', { format: 'csv' })
    const lines = (await csv.text()).split('\r\n')
    expect(lines.length).toBe(2_502)
    expect(lines.filter((line) => line.startsWith('zpid')).length).toBe(1)
    expect([lines[1], lines[2_500], lines[2_501]]).toEqual(['0,', '2499,', ''])
    expect([csv.meta, asked.length]).toEqual([{ total: 2_500 }, 3])
  })

  it('is NDJSON over all pages and can be iterated row by row', async () => {
    const { lotline } = await start({ '/v1/jobs/a/results': [results(1_001)] })
    const zpids = []
    for await (const row of await lotline.jobs.results('a', { format: 'ndjson', offset: 1 }))
      zpids.push(row.zpid)
    expect(zpids).toEqual(Array.from({ length: 1_000 }, (_, n) => `${n + 1}`))
  })

  it('ends after the requested number of rows', async () => {
    const { lotline, asked } = await start({ '/v1/jobs/a/results': [results(500)] })
    const csv = await lotline.jobs.results('a', { format: 'csv', limit: 10 })
    expect((await csv.text()).trimEnd().split('\r\n').length).toBe(11)
    expect([csv.meta, asked.length]).toEqual([{ count: 10, total: 500 }, 1])
  })

  it('requests a page only after the page before has been read', async () => {
    const { lotline, asked } = await start({ '/v1/jobs/a/results': [results(3_000)] })
    const { body } = await lotline.jobs.results('a', { format: 'ndjson' })
    const reader = body.getReader()
    await reader.read()
    expect(asked.length).toBe(1)
    await reader.cancel()
    expect(asked.length).toBe(1)
  })

  it('without rows is empty', async () => {
    const { lotline } = await start({ '/v1/jobs/a/results': [results(0)] })
    expect(await (await lotline.jobs.results('a', { format: 'csv' })).text()).toBe('')
    for await (const row of await lotline.jobs.results('a', { format: 'ndjson' })) expect.fail(String(row))
  })
})

it('a started job says whether an earlier call with the same key had started it', async () => {
  const { lotline } = await start({
    '/v1/properties/batch': [accepted('a'), accepted('a', { 'idempotent-replayed': 'true' })],
  })
  const batch = () => lotline.properties.batch({ urls: [] }, { idempotencyKey: 'the same' })
  expect([(await batch()).replayed, (await batch()).replayed]).toEqual([false, true])
})
