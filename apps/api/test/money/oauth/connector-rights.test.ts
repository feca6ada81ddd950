// The rights of a connector, and the cost of its watches after its end.

import { describe, expect, it } from 'vitest'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { homeUrl, startJob } from '../../work/jobs/job-calls.ts'
import { callTool, connect, freePort } from './oauth-client.ts'

const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { port, env: { PUBLIC_URL: origin } })

describe('a connector', () => {
  it('can change only its own watches and jobs, and read the others', async () => {
    const { key } = await server.openAccount({ credits: 1_000 })
    const token = (await connect(origin, key)).tokens.access_token
    const other = (await connect(origin, key)).tokens.access_token
    const WATCH = { name: 'mine', zpids: ['1'] }
    const watchOf = async (by: string) => (await server.post('/v1/watches', WATCH, { key: by })).json.data.id
    const send = (method: string, path: string, by: string, body?: object) =>
      server.send(method, path, { key: by, ...(body && { body }) })
    for (const id of [await watchOf(key), await watchOf(other)]) {
      const path = `/v1/watches/${id}`
      expect((await server.get(path, { key: token })).status).toBe(200)
      for (const refused of [
        await send('PATCH', path, token, { name: 'x', every: '1h', paused: false }),
        await send('DELETE', path, token),
      ])
        expect([refused.status, refused.code]).toEqual([404, 'not_found'])
      expect((await server.get(path, { key: token })).json.data).toMatchObject({
        name: 'mine',
        every: 'change',
      })
    }
    const own = `/v1/watches/${await watchOf(token)}`
    expect((await send('PATCH', own, token, { name: 'x' })).status).toBe(200)
    for (const by of [token, token, key]) expect((await send('DELETE', own, by)).status).toBe(204)
    // Nothing shows it which watches the others have had.
    expect((await send('DELETE', own, other)).status).toBe(404)
    const ofConnector = `/v1/watches/${await watchOf(token)}`
    expect((await send('PATCH', ofConnector, key, { name: 'x' })).status).toBe(200)

    // No process works on jobs here: all of them wait.
    const jobOf = async (by: string) => {
      const batch = { urls: [homeUrl(1), homeUrl(2)] }
      return `/v1/jobs/${(await startJob(server, '/v1/properties/batch', batch, { key: by })).id}`
    }
    const [ofKey, ofToken] = [await jobOf(key), await jobOf(token)]
    expect((await server.get(ofKey, { key: token })).status).toBe(200)
    const refused = await send('POST', `${ofKey}/abort`, token)
    expect([refused.status, refused.code]).toEqual([404, 'job_not_found'])
    expect((await server.get(ofKey, { key })).json.data.status).not.toBe('aborted')
    expect((await send('POST', `${ofToken}/abort`, token)).status).toBe(200)
  })

  it('with read-only scope cannot start jobs: a search that needs one is refused at no charge', async () => {
    const { key } = await server.openAccount({ credits: 1_000 })
    const reading = (await connect(origin, key, { access: 'read' })).tokens.access_token
    const filters = { zips: ['98109'] }
    const jobs = [
      { filters, async: true },
      { filters, maxItems: 51 },
      { filters, extractionMethod: 'PAGINATION_WITH_ZOOM_IN' },
    ]
    for (const body of jobs) {
      const refused = await server.post('/v1/search', body, { key: reading })
      expect([refused.status, refused.code]).toEqual([403, 'key_not_allowed'])
      expect(refused.json.error).toMatchObject({
        message: expect.stringContaining('may not start jobs'),
        details: { operation: 'searchListings' },
      })
    }
    const asked = await callTool(origin, reading, 'start_job', { type: 'search', filters, max_credits: 60 })
    expect(asked.result.code).toBe('key_not_allowed')
    expect((await server.post('/v1/search', { filters, maxItems: 50 }, { key: reading })).status).toBe(200)
    expect((await server.get('/v1/jobs', { key })).json.data).toEqual([])
    const all = (await connect(origin, key)).tokens.access_token
    expect((await server.post('/v1/search', jobs[0], { key: all })).status).toBe(202)
  })

  it('costs nothing after it has ended: its watches are paused until another key resumes them', async () => {
    const { key, keyId } = await server.openAccount({ credits: 1_000 })
    const { tokens } = await connect(origin, key)
    const created = await server.post(
      '/v1/watches',
      { name: 'x', zpids: ['1'] },
      { key: tokens.access_token },
    )
    const { id } = created.json.data
    const waiting = await server.post(
      '/v1/watches',
      { name: 'y', zpids: ['1'] },
      { key: tokens.access_token },
    )
    const own = await server.post('/v1/watches', { name: 'z', zpids: ['1'] }, { key })
    const read = async (watch = id) => (await server.get(`/v1/watches/${watch}`, { key })).json.data
    await testDatabase.database.query(
      "update watches set status = 'paused', paused_reason = 'key_limit_reached', is_current = false where id = $1",
      [waiting.json.data.id],
    )
    const { json } = await server.get('/v1/keys', { key })
    const connector = json.data.find(({ name }: { name: string }) => name === 'Test agent')
    expect((await server.send('DELETE', `/v1/keys/${connector.id}`, { key })).status).toBe(204)
    const evaluating = server.app.watches.start()
    try {
      const until = (watch: string, expected: object) =>
        expect.poll(() => read(watch), { timeout: 20_000, interval: 20 }).toMatchObject(expected)
      await until(id, { status: 'paused', paused_reason: 'requested' })
      await until(waiting.json.data.id, { status: 'paused', paused_reason: 'requested' })
      expect(await read(own.json.data.id)).toMatchObject({ status: 'active' })
      const resumed = await server.send('PATCH', `/v1/watches/${id}`, { key, body: { paused: false } })
      expect(resumed.json.data).toMatchObject({ status: 'active', paused_reason: null })
      const isCompared = async () =>
        (await testDatabase.database.query('select from watches where id = $1 and is_current', [id])).rowCount
      await expect.poll(isCompared, { timeout: 20_000, interval: 20 }).toBe(1)
      expect(await read()).toMatchObject({ status: 'active' })
    } finally {
      await evaluating.stop()
    }
    const { rows } = await testDatabase.database.query('select key_id from watches where id = $1', [id])
    expect(rows).toEqual([{ key_id: keyId }])
  })
})
