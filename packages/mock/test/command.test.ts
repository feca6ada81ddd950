import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { isApiKey } from '@lotline/contract/checks'
import { describe, expect, it } from 'vitest'
import { DEMO_KEY, startMock } from '../src/index.ts'
import { COMMAND, spawnMock } from './mock-process.ts'

interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function run(...args: readonly string[]): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    )
  })
}

describe('the lotline-mock command', () => {
  it('prints an example call that works', async () => {
    await using mock = await spawnMock()
    const [, header = '', url = ''] = /curl -H "([^"]+)" "([^"]+)"/.exec(mock.output()) ?? []
    const [name = '', value = ''] = header.split(': ')
    expect((await fetch(url, { headers: { [name]: value } })).status).toBe(200)
  })

  it('logs a line for each response, without the query', async () => {
    await using mock = await spawnMock()
    const headers = { authorization: `Bearer ${mock.key}` }
    await (await fetch(`${mock.origin}/v1/properties/by-address?address=x`, { headers })).text()
    await expect.poll(() => mock.output()).toContain('GET /v1/properties/by-address 400 invalid_address\n')
  })

  it.each(['--help', '-h'])('explains itself with %s', async (option) => {
    const { code, stdout } = await run(option)
    expect(code).toBe(0)
    for (const word of ['--port', '--host', '--quiet', 'Prefer:', DEMO_KEY]) expect(stdout).toContain(word)
  })

  it.each([
    [['--prot', '4010'], /--prot/],
    [['--port'], /--port/],
    [['--port', 'http'], /--port must be a number/],
    [['--port', '70000'], /--port must be a number/],
    [['--host', ''], /--host must not be empty/],
    [['4010'], /4010/],
  ])('refuses %j with a one-line error', async (args, message) => {
    const { code, stdout, stderr } = await run(...args)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('reports a port in use with a one-line error', async () => {
    await using mock = await spawnMock()
    const port = new URL(mock.origin).port
    const { code, stderr } = await run('--port', port)
    expect(code).toBe(1)
    expect(stderr).toBe(
      `Port ${port} on 127.0.0.1 is taken. Stop what uses it, or choose another with --port.\n`,
    )
  })

  it('reports a host of another machine with a one-line error', async () => {
    const { code, stderr } = await run('--port', '0', '--host', '192.0.2.1')
    expect([code, stderr]).toEqual([
      1,
      '192.0.2.1 is not an address of this machine. Choose another with --host.\n',
    ])
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('stops at %s, with a connection open', async (signal) => {
    await using mock = await spawnMock()
    const { hostname, port } = new URL(mock.origin)
    const socket = connect(Number(port), hostname)
    // How the connection ends is not the point.
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write('POST /v1/search HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n')
    const ended = once(mock.process, 'exit')
    mock.process.kill(signal)
    expect(await ended).toEqual([0, null])
    socket.destroy()
  })
})

describe('the mock library', () => {
  it('starts on a free port, reports each response, and releases the port when it stops', async () => {
    const told: number[] = []
    const mock = await startMock({ onAnswer: (_, { status }) => told.push(status) })
    try {
      const response = await fetch(`${mock.origin}/v1/me`, {
        headers: { authorization: `Bearer ${DEMO_KEY}` },
      })
      expect(response.status).toBe(200)
      await expect.poll(() => told).toEqual([200])
    } finally {
      await mock.close()
    }
    await expect(fetch(`${mock.origin}/v1/me`)).rejects.toThrow()
  })

  it('has a well-formed demo key, which is the one in the guide', () => {
    expect(isApiKey(DEMO_KEY)).toBe(true)
    const manual = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    expect([...new Set(manual.match(/lot_\w+/g))]).toEqual([DEMO_KEY])
  })
})
