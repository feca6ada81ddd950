// The start of the service, for a newcomer and for an operator.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makePreparedDataDirectory } from '../../setup/prepared-cluster.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { findProgram } from './find-program.ts'
import { runCommand, spawnServer, startServer, wordsOf } from './server-process.ts'

const testDatabase = withTestDatabase()

describe('the first start', () => {
  it('prints a command line that works as printed, even after an interrupted start; the second start prints no key', async ({
    skip,
  }) => {
    const env = { DATA_DIR: join(await makeTemporaryDirectory(), 'new', 'data') }
    const cutShort = spawnServer(env)
    await cutShort.line(/Migrated the database/)
    cutShort.kill('SIGTERM')
    await cutShort.exited
    expect(cutShort.out.join('\n')).not.toContain('lot_')

    const first = await startServer(env)
    const [line] = await first.line(/^ {2}curl .*/)
    expect(first.out[0]).toMatch(/^First start: loading the sample listings/)
    expect(line).toContain(first.url)
    const key = /lot_\w+/.exec(line)![0]
    const curl = findProgram(['curl'], 'the printed command line works')
    if (curl) {
      const { stdout } = await promisify(execFile)('sh', ['-c', line])
      expect(JSON.parse(stdout).data).toMatchObject({ zpid: '48749425', homeStatus: 'FOR_SALE' })
    }
    first.kill('SIGTERM')
    expect(await first.exited).toEqual({ code: 0, signal: null })
    // What is for a person stands on stdout, and nothing else; all that is logged stands on stderr, as JSON, and no key.
    expect(first.out.filter((printed) => printed.startsWith('{'))).toEqual([])
    expect(first.err.map((logged) => JSON.parse(logged).level)).not.toHaveLength(0)
    expect(first.err.join('\n')).not.toContain('lot_')

    const second = await startServer(env)
    const answer = await fetch(`${second.url}/v1/properties/48749425`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(answer.status).toBe(200)
    // The reference fills the demo key in after a restart too; that is set a moment after the server listens.
    const shown = async () => (await fetch(`${second.url}/docs/demo-key`)).text()
    await expect.poll(shown).toBe(JSON.stringify({ key }))
    second.kill('SIGTERM')
    expect((await second.exited).code).toBe(0)
    expect(second.lines.join('\n')).not.toMatch(/lot_|loading the sample/)
    // Everything except the printed command line was checked.
    if (!curl) skip('curl is not installed')
  })

  it('prints no key if the sample is disabled', async () => {
    const server = await startServer({ DATABASE_URL: testDatabase.url, SAMPLE_DATA: 'off' })
    server.kill('SIGINT')
    expect((await server.exited).code).toBe(0)
    expect(server.lines.join('\n')).not.toContain('lot_')
  })
})

/** The output of a refused start. `lines` is all that a person reads. */
async function expectRefusal(env: Readonly<Record<string, string>>, lines: readonly RegExp[]) {
  const server = spawnServer(env)
  expect(await server.exited).toEqual({ code: 1, signal: null })
  expect(server.out).toEqual([])
  expect(server.err).toHaveLength(lines.length)
  for (const [at, line] of lines.entries()) expect(server.err[at]).toMatch(line)
  expect(server.err[0]).toMatch(/^lotline: /)
}

describe('a failing start prints its reason in one clear line, with exit code 1:', () => {
  it('the port is in use; nothing was created', async () => {
    const squatter = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void squatter.close())
    await once(squatter, 'listening')
    const { port } = squatter.address() as AddressInfo
    const directory = await makeTemporaryDirectory()
    await expectRefusal({ PORT: String(port), DATA_DIR: join(directory, 'data') }, [
      new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is taken.* PORT`),
    ])
    expect(await readdir(directory)).toEqual([])
  })

  it('the address belongs to another machine', async () => {
    await expectRefusal({ HOST: '203.0.113.7' }, [/HOST 203\.0\.113\.7 is not an address of this machine/])
  })

  it('DATA_DIR is not writable', async () => {
    const file = join(await makeTemporaryDirectory(), 'a-file')
    await writeFile(file, '')
    await expectRefusal({ DATA_DIR: file }, [/DATA_DIR \S+a-file cannot be used: .*Name a directory/])
    await expectRefusal({ DATA_DIR: join(file, 'below') }, [/DATA_DIR \S+below cannot be used: .*is a file/])
  })

  it('there is no server at DATABASE_URL; its password is not shown', async () => {
    const url = 'postgresql://lotline:open-sesame-42@127.0.0.1:1/lotline'
    const refusal = [/127\.0\.0\.1:1\/lotline cannot be reached: .*Check DATABASE_URL/]
    await expectRefusal({ DATABASE_URL: url }, refusal)
    const command = await runCommand(['accounts', 'list'], { DATABASE_URL: url })
    expect([command.code, command.out]).toEqual([1, ''])
    expect(command.err.split('\n')).toEqual([expect.stringMatching(refusal[0]!)])
    expect(command.err).not.toContain('sesame')
  })

  it('the database that DATABASE_URL names does not exist', async () => {
    const url = testDatabase.url.replace(testDatabase.name, 'no_such_database')
    await expectRefusal({ DATABASE_URL: url }, [/no_such_database.*(does not exist|cannot be)/])
  })

  it('settings are invalid: each is named, secret ones without their value', async () => {
    const wrong = {
      PORT: 'http',
      LOG_LEVEL: 'loud',
      SAMPLE_DATA: 'perhaps',
      PROVIDER: 'http',
      SECRETS_KEY: 'too-short-a-key',
      DATABASE_URL: 'mysql://root:hunter2@db/lotline',
    }
    const expected = ['PORT', 'DATABASE_URL', 'SECRETS_KEY', 'LOG_LEVEL', 'SAMPLE_DATA', 'PROVIDER_URL']
    const lines = expected.map((name) => new RegExp(`^(lotline: )?${name}\\b.* needs `))
    await expectRefusal(wrong, lines)
    const command = await runCommand(['accounts', 'list'], wrong)
    expect(command.code).toBe(1)
    for (const name of expected) expect(command.err).toMatch(new RegExp(`${name}\\b.* needs `))
    expect(command.err).not.toMatch(/hunter2|too-short/)
  })

  it('another server uses DATA_DIR; it is not disturbed, and the command works beside it', async () => {
    const env = { DATA_DIR: await makePreparedDataDirectory(), SAMPLE_DATA: 'off' }
    const first = await startServer(env)
    const second = spawnServer(env)
    const created = await runCommand(['accounts', 'create', '--plan', 'free', '--json'], env)
    expect(created).toMatchObject({ code: 0, err: '' })
    const { key } = JSON.parse(created.out) as { key: string }
    expect(await second.exited).toEqual({ code: 1, signal: null })
    expect(second.out).toEqual([])
    expect(wordsOf(second)).toEqual([
      expect.stringMatching(new RegExp(`^lotline: Another server \\(process ${first.pid}\\) uses DATA_DIR`)),
    ])
    const answer = await fetch(`${first.url}/v1/me`, { headers: { authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(200)
    first.kill('SIGTERM')
    expect((await first.exited).code).toBe(0)
  })
})
