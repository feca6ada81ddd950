import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Config, readConfig } from '../../../../src/infrastructure/config/config.ts'
import { openAccount } from '../../../../src/money/accounts/open-account.ts'
import { startTracing, type Tracing } from '../../../../src/process/telemetry/tracing/tracing.ts'
import { createMemoryProvider } from '../../../setup/memory-provider.ts'
import { startReceiver } from '../../../setup/receiver.ts'
import { withTestDatabase } from '../../../setup/test-database.ts'
import { startTestServer } from '../../../setup/test-server.ts'
import { spawnServer, startServer } from '../../start/server-process.ts'
import { type KeptSpan, startCollector } from './collector.ts'

const testDatabase = withTestDatabase()
const ZPID = '48749425'
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLERS_SPAN = '00f067aa0ba902b7'

const named = (spans: readonly KeptSpan[], name: string) => spans.filter((span) => span.name === name)

/** A server whose traces go there. It works on jobs and sends webhooks, to anywhere. */
async function startTraced(env: Readonly<Record<string, string>>) {
  const config: Config = readConfig(env)
  const tracing: Tracing = startTracing(config.tracing!, config, pino({ level: 'silent' }))
  const server = await startTestServer(testDatabase, {
    parts: { provider: createMemoryProvider(), watch: tracing.watch },
    env: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'on' },
  })
  const workers = [server.app.jobs.start({ work: true }), server.app.webhooks.start()]
  let stopped: Promise<void> | undefined
  const stop = () =>
    (stopped ??= (async () => {
      await Promise.all(workers.map((worker) => worker.stop()))
      await server.close()
      await tracing.stop()
    })())
  onTestFinished(stop)
  return { server, stop }
}

describe('with an OTLP endpoint', () => {
  it('a call, its wait, its charge, the provider, jobs, and webhooks are spans, without private data', async () => {
    const collector = await startCollector()
    const receiver = await startReceiver()
    const { server, stop } = await startTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    const { key, accountId } = await server.openAccount()
    const traceparent = `00-${TRACE_ID}-${CALLERS_SPAN}-01`
    const traced = { key, headers: { traceparent, tracestate: 'vendor=canary' } }
    expect((await server.get(`/v1/properties/${ZPID}`, traced)).status).toBe(200)
    await server.get('/v1/properties/by-address?address=2114%20Bigelow%20Ave%20N%20Seattle%20WA%2098109', {
      key,
    })
    await server.get('/v1/properties/x1', { key, headers: { traceparent: 'nonsense' } })
    const bbox = { west: -122.36, south: 47.63, east: -122.34, north: 47.645 }
    const search = { filters: { status: 'for_sale', bbox }, maxItems: 2 }
    expect((await server.post('/v1/search', search, { key })).status).toBe(200)
    await server.post('/v1/webhooks', { url: `${receiver.url}/hook` }, { key })
    const urls = [`https://www.zillow.com/homedetails/${ZPID}_zpid/`]
    expect((await server.post('/v1/properties/batch', { urls }, { key })).status).toBe(202)
    await receiver.until(1)
    await stop()

    const { spans } = collector
    const [call] = named(spans, 'GET /v1/properties/{zpid}')
    expect(call).toMatchObject({
      traceId: TRACE_ID,
      parentSpanId: CALLERS_SPAN,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/v1/properties/{zpid}',
        'http.response.status_code': 200,
        'lotline.operation': 'getProperty',
        'lotline.request_id': expect.stringMatching(/^req_/),
      },
    })
    const partsOf = (whole: KeptSpan | undefined) =>
      spans.filter(({ parentSpanId }) => parentSpanId === whole!.spanId).map(({ name }) => name)
    expect(partsOf(call).sort()).toEqual(['provider findByZpid', 'settle', 'slot wait'])
    // Those with a body too: it arrives outside of the thread of the call.
    expect(partsOf(named(spans, 'POST /v1/search')[0]).sort()).toEqual([
      'provider search',
      'settle',
      'slot wait',
    ])
    const refused = spans.find(({ attributes }) => attributes['error.type'] === 'invalid_zpid')
    expect(refused!.traceId).not.toBe(TRACE_ID)
    expect(refused!.parentSpanId).toBeUndefined()
    const [job] = named(spans, 'job run')
    expect(job!.attributes).toMatchObject({ 'lotline.job_type': 'batch_detail', 'lotline.outcome': 'done' })
    expect(named(spans, 'webhook attempt')[0]!.attributes['lotline.outcome']).toBe('delivered')
    for (const said of [key, accountId, 'Bigelow', 'canary', receiver.url, ZPID]) {
      expect(collector.text.includes(said), said).toBe(false)
    }
  })

  it('traces that the client does not sample, or that exceed the share, are not kept', async () => {
    const collector = await startCollector()
    const { server, stop } = await startTraced({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG: '0',
    })
    const { key } = await server.openAccount()
    for (const flags of ['00', '01']) {
      const traceparent = `00-${TRACE_ID}-${CALLERS_SPAN}-${flags}`
      expect((await server.get('/v1/me', { key, headers: { traceparent } })).status).toBe(200)
    }
    await stop()
    expect(collector.spans).toEqual([])
  })

  it('an unavailable collector affects no call and no stop', async () => {
    const { server, stop } = await startTraced({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    })
    const { key } = await server.openAccount()
    expect((await server.get(`/v1/properties/${ZPID}`, { key })).status).toBe(200)
    await stop()
  })

  it('a stopping process sends its pending spans', async () => {
    const collector = await startCollector()
    const server = await startServer({
      DATABASE_URL: testDatabase.url,
      SAMPLE_DATA: 'off',
      SECRETS_KEY,
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-token=hunter%202',
    })
    const { key } = await openAccount(testDatabase.database, { plan: 'free' })
    await fetch(`${server.url}/v1/me`, { headers: { authorization: `Bearer ${key}` } })
    server.kill('SIGTERM')
    expect((await server.exited).code).toBe(0)
    expect(named(collector.spans, 'GET /v1/me')).toHaveLength(1)
    expect(collector.paths[0]).toBe('/v1/traces')
    expect(collector.headers[0]!['x-collector-token']).toBe('hunter 2')
    expect(collector.text).toContain('{"key":"service.name","value":{"stringValue":"lotline"}}')
    expect(/hunter|lot_/.exec(collector.text)).toBe(null)
  })
})

it('without an endpoint, neither tracing nor its libraries are loaded', async () => {
  // prom-client loads the API, which does nothing without them.
  const watch = `
    import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) {
      if (/opentelemetry\\+(?!api@)|tracing\\.ts/.test(url)) console.log('LOADED ' + url)
      return next(url, context)
    } })`
  const server = spawnServer({
    DATABASE_URL: testDatabase.url,
    SAMPLE_DATA: 'off',
    SECRETS_KEY,
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(watch)}`,
  })
  await server.line(/serves http/)
  expect(server.lines.filter((line) => line.startsWith('LOADED'))).toEqual([])
})
