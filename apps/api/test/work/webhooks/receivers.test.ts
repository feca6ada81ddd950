import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeAuthority, makeCertificate } from '../../setup/certificate.ts'
import { attemptsOf, box, type DeliveriesOptions, startDeliveries, statesOf } from '../../setup/deliveries.ts'
import { type Receiver, type ReceiverAnswer, startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { endJobs, makeAccount, makeWebhook } from '../../setup/webhook-jobs.ts'

const testDatabase = withTestDatabase()
const TOO_LATE = 'The receiver did not answer within 0.4 seconds.'
/** For receivers that never end their answers. The others have the time that a busy machine needs. */
const SHORT = { env: { WEBHOOK_TIMEOUT_MS: '400' } }
const CLOSED = 'The connection was closed before an answer came.'

/** Ends one job for a webhook of this URL, waits until its delivery is over, and returns the attempts. */
async function deliverTo(url: string, options: DeliveriesOptions = {}) {
  const { database } = testDatabase
  const accountId = await makeAccount(database)
  const { id } = await makeWebhook(database, box, accountId, url)
  const deliverer = startDeliveries(database, options)
  await endJobs(database, accountId)
  const isOver = async () => {
    const { delivered = 0, dropped = 0 } = await statesOf(database, id)
    return delivered + dropped === 1
  }
  await until(isOver, 'the delivery to be over')
  await deliverer.stop()
  const attempts = await attemptsOf(database, id)
  const [event] = new Set(attempts.map(({ event_id }) => event_id))
  return {
    id,
    event,
    attempts,
    outcomes: attempts.map(({ attempt, status_code, delivered, error }) => [
      attempt,
      status_code,
      delivered,
      error,
    ]),
  }
}

/** Three failed attempts, all alike. */
function thrice(statusCode: number | null, error: string | null) {
  return [1, 2, 3].map((attempt) => [attempt, statusCode, false, error])
}

function expectRepetitions(receiver: Receiver, event: string | undefined): void {
  expect(receiver.events.map(({ headers }) => headers['webhook-id'])).toEqual([event, event, event])
  expect(receiver.events.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2', '3'])
  expect(receiver.events.map(({ json }) => json.attempt)).toEqual([1, 2, 3])
  expect(new Set(receiver.events.map(({ json }) => JSON.stringify({ ...json, attempt: 0 }))).size).toBe(1)
}

/** A server of bytes instead of HTTP. */
async function startRawServer(onData: (socket: Socket, data: Buffer) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.on('data', (data: Buffer) => onData(socket, data))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describe('an event counts as delivered when the receiver responds', () => {
  it.each([200, 201, 202, 204, 226, 299])('with %i, and is not sent again', async (status) => {
    const receiver = await startReceiver((response) => response.writeHead(status).end())
    const { outcomes } = await deliverTo(receiver.url)
    expect(outcomes).toEqual([[1, status, true, null]])
    expect(receiver.events).toHaveLength(1)
  })

  it('at the second or the third attempt', async () => {
    for (const failures of [1, 2]) {
      const receiver = await startReceiver((response, _event, count) =>
        response.writeHead(count <= failures ? 503 : 200).end(),
      )
      const { outcomes } = await deliverTo(receiver.url)
      expect(outcomes.map(([, status, delivered]) => [status, delivered])).toEqual([
        ...Array(failures).fill([503, false]),
        [200, true],
      ])
    }
  })

  it('over TLS with a trusted certificate', async () => {
    const authority = await makeAuthority()
    const tls = await makeCertificate({ host: 'hooks.example.com', issuer: authority })
    const receiver = await startReceiver(undefined, { tls })
    const { outcomes } = await deliverTo(`https://hooks.example.com:${receiver.port}/`, {
      network: { ca: authority.cert, resolve: async () => ['127.0.0.1'] },
    })
    expect(outcomes).toEqual([[1, 204, true, null]])
    expect(receiver.events[0]!.headers.host).toBe(`hooks.example.com:${receiver.port}`)
  })

  it('after an informational response (1xx)', async () => {
    const receiver = await startReceiver((response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' })
      response.writeProcessing()
      response.writeHead(200).end('ok')
    })
    const { attempts } = await deliverTo(receiver.url)
    expect(attempts).toMatchObject([{ status_code: 200, delivered: true, response_preview: 'ok' }])
  })

  it('although its response body never ends', async () => {
    const receiver = await startReceiver((response) => {
      response.writeHead(200)
      const more = setInterval(() => response.write('x'.repeat(16_384)), 1)
      response.on('close', () => clearInterval(more))
    })
    const { attempts } = await deliverTo(receiver.url)
    expect(attempts).toMatchObject([
      { status_code: 200, delivered: true, response_preview: 'x'.repeat(1024) },
    ])
  })

  it('although its response body trickles until the timeout', async () => {
    const receiver = await startReceiver((response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drip))
    })
    const { attempts } = await deliverTo(receiver.url, SHORT)
    expect(attempts).toMatchObject([{ status_code: 200, delivered: true, error: null }])
    expect(attempts[0]!.response_preview).toMatch(/^\.+$/)
  })

  it('although its response body is cut off', async () => {
    const receiver = await startReceiver((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy())
    })
    const { attempts } = await deliverTo(receiver.url)
    expect(attempts).toMatchObject([{ status_code: 200, delivered: true, response_preview: 'half' }])
  })
})

describe('an event is sent three times under one id, and then dropped, if the receiver', () => {
  const byStatus: readonly number[] = [400, 401, 404, 410, 418, 429, 500, 502, 503, 599]
  it.each(byStatus)('responds with %i', async (status) => {
    const receiver = await startReceiver((response) => response.writeHead(status).end('no'))
    const { outcomes, event, attempts } = await deliverTo(receiver.url)
    expect(outcomes).toEqual(thrice(status, null))
    expect(attempts.map(({ response_preview }) => response_preview)).toEqual(['no', 'no', 'no'])
    expectRepetitions(receiver, event)
  })

  it.each([301, 302, 303, 307, 308])(
    'redirects with %i to any URL: redirects are not followed',
    async (status) => {
      const target = await startReceiver()
      for (const location of [
        `${target.url}/inward`,
        '/elsewhere',
        'http://169.254.169.254/latest/meta-data/',
      ]) {
        const receiver = await startReceiver((response) => response.writeHead(status, { location }).end())
        const { outcomes } = await deliverTo(receiver.url)
        expect(outcomes).toEqual(thrice(status, null))
        expect(receiver.events.map(({ path }) => path)).toEqual(['/', '/', '/'])
      }
      expect(target.connections).toBe(0)
    },
  )

  const badly: Readonly<Record<string, [ReceiverAnswer, string]>> = {
    'hangs before its head': [() => {}, TOO_LATE],
    'resets the connection': [(response) => response.socket!.resetAndDestroy(), CLOSED],
    'closes the connection': [(response) => response.socket!.end(), CLOSED],
    'drips its head for ever': [
      (response) => {
        response.socket!.write('HTTP/1.1 200 OK\r\n')
        const drip = setInterval(() => response.socket?.write('a: b\r\n'), 20)
        response.socket!.on('close', () => clearInterval(drip))
      },
      TOO_LATE,
    ],
    'breaks off within its head': [(response) => response.socket!.end('HTTP/1.1 200 OK\r\nContent-'), CLOSED],
    'announces an answer and gives none': [(response) => response.writeProcessing(), TOO_LATE],
    'answers something else than HTTP': [
      (response) => response.socket!.end('SSH-2.0-OpenSSH_9.2\r\n'),
      'The answer was not valid HTTP.',
    ],
    'answers with a head of 20 KiB': [
      (response) => response.writeHead(200, { 'x-large': 'x'.repeat(20_000) }).end(),
      'The head of the answer was too large.',
    ],
    'answers a status that there is not': [
      (response) => response.socket!.end('HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n'),
      'The receiver answered with the status 999, which HTTP does not have.',
    ],
    'changes to another protocol': [
      (response) =>
        response.socket!.write(
          'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n',
        ),
      CLOSED,
    ],
  }
  it.each(Object.entries(badly))('%s', async (_what, [answer, error]) => {
    const receiver = await startReceiver(answer)
    const { outcomes, event } = await deliverTo(receiver.url, error === TOO_LATE ? SHORT : {})
    expect(outcomes).toEqual(thrice(null, error))
    expectRepetitions(receiver, event)
  })

  it('refuses connections', async () => {
    const url = await startRawServer(() => {})
    const port = Number(new URL(url).port)
    const { outcomes } = await deliverTo(`http://127.0.0.1:${port === 1 ? 2 : 1}/`)
    expect(outcomes).toEqual(thrice(null, 'The connection was refused.'))
  })

  it('has a name that does not resolve, or resolves to an internal address', async () => {
    const receiver = await startReceiver()
    for (const resolve of [
      async () => [],
      async () => ['127.0.0.1'],
      () => Promise.reject(new Error('SERVFAIL')),
    ]) {
      const { outcomes } = await deliverTo(`https://hooks.example.com:${receiver.port}/`, {
        network: { allowPrivateNetworks: false, resolve },
      })
      expect(outcomes).toEqual(thrice(null, 'The host of the webhook does not resolve to a public address.'))
    }
    expect(receiver.connections).toBe(0)
  })

  it('has an expired certificate', async () => {
    const authority = await makeAuthority()
    const tls = await makeCertificate({
      host: 'hooks.example.com',
      issuer: authority,
      notBefore: new Date(Date.now() - 172_800_000),
      notAfter: new Date(Date.now() - 86_400_000),
    })
    const receiver = await startReceiver(undefined, { tls })
    const { outcomes } = await deliverTo(`https://hooks.example.com:${receiver.port}/`, {
      network: { ca: authority.cert, resolve: async () => ['127.0.0.1'] },
    })
    expect(outcomes).toEqual(thrice(null, 'The certificate of the receiver has expired.'))
    expect(receiver.events).toHaveLength(0)
  })
})

describe('the stored part of a response', () => {
  it('is its first 1 KiB as text, whatever bytes it has', async () => {
    const answer = Buffer.concat([Buffer.from([0xff, 0xfe, 0x00, 0xc3]), Buffer.from('é'.repeat(2000))])
    const receiver = await startReceiver((response) => response.writeHead(500).end(answer))
    const { attempts } = await deliverTo(receiver.url)
    for (const { response_preview } of attempts) {
      expect(Buffer.byteLength(response_preview)).toBeLessThanOrEqual(1024)
      expect(response_preview.isWellFormed()).toBe(true)
      expect(response_preview).toMatch(/^\uFFFD+é+$/)
    }
  })

  it('needs at most 4 KiB of reading: then the connection is closed', async () => {
    let closed = 0
    const receiver = await startReceiver((response) => {
      response.writeHead(500)
      response.write('x'.repeat(5_000))
      response.on('close', () => (closed += 1))
    })
    const { outcomes } = await deliverTo(receiver.url)
    expect(outcomes).toEqual(thrice(500, null))
    await until(() => closed === 3, 'the connections to be closed')
    expect(receiver.connections).toBe(3)
  })
})

describe('an attempt', () => {
  it('is recorded before its connection is opened', async () => {
    const { database } = testDatabase
    const seen: unknown[] = []
    const accountId = await makeAccount(database)
    const receiver = await startReceiver()
    const { id } = await makeWebhook(database, box, accountId, `http://hooks.example.com:${receiver.port}/`)
    startDeliveries(database, {
      network: {
        resolve: async () => {
          seen.push(...(await attemptsOf(database, id)))
          return ['127.0.0.1']
        },
      },
    })
    await endJobs(database, accountId)
    await receiver.until(1)
    expect(seen).toMatchObject([{ attempt: 1, delivered: false, sent_at: null, ended_at: null }])
  })

  it('reuses a connection, and opens a new one if the receiver has closed it meanwhile', async () => {
    const { database } = testDatabase
    const accountId = await makeAccount(database)
    const receiver = await startReceiver()
    const { id } = await makeWebhook(database, box, accountId, receiver.url)
    startDeliveries(database)
    for (let count = 1; count <= 3; count++) {
      await endJobs(database, accountId)
      await receiver.until(count)
      await until(async () => (await statesOf(database, id)).delivered === count)
    }
    expect(receiver.connections).toBe(1)

    const url = await startRawServer((socket, data) => {
      // Answers once, and resets the connection at the next request.
      if (socket.bytesRead > data.length) return void socket.resetAndDestroy()
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    })
    const fickle = await makeWebhook(database, box, accountId, url)
    for (let count = 1; count <= 4; count++) {
      await endJobs(database, accountId)
      await until(async () => (await statesOf(database, fickle.id)).delivered === count)
    }
    expect((await attemptsOf(database, fickle.id)).map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1])
  })
})
