import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type Database,
  DatabaseUnavailable,
  StartError,
} from '../../../src/infrastructure/database/database.ts'
import { findPostgresBinaries } from '../../../src/infrastructure/database/embedded/postgres-binaries.ts'
import { findPostmasterFile, isAlive } from '../../../src/infrastructure/database/embedded/postmaster-file.ts'
import { makePreparedDataDirectory } from '../../setup/prepared-cluster.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { answers, open, openInProcess, postmasterOf, until } from './embedded-database.ts'

const KEPT = `create table if not exists kept (n integer); insert into kept values (1)`
const countKept = async (database: Database) =>
  (await database.query<{ count: number }>('select count(*) from kept')).rows[0]!.count

describe('starting and stopping', () => {
  test('the first start creates the cluster, and committed data is there after the next start', async () => {
    const dataDir = join(await makeTemporaryDirectory(), 'made', 'on', 'the', 'way')
    const first = await open(dataDir)
    await first.query(KEPT)
    const pid = await postmasterOf(dataDir)
    await first.close()
    expect(isAlive(pid)).toBe(false)

    const second = await open(dataDir)
    expect(await countKept(second)).toBe(1)
  })

  test('only the user of the service can connect, and PostgreSQL listens on no network', async () => {
    const dataDir = join(await makeTemporaryDirectory(), 'data')
    const database = await open(dataDir)
    for (const path of [dataDir, join(dataDir, 'postgres'), join(dataDir, 'postgres', 'cluster')]) {
      expect((await stat(path)).mode & 0o077, path).toBe(0)
    }
    const { rows } = await database.query<{ name: string; setting: string }>(
      "select name, setting from pg_settings where name in ('listen_addresses', 'fsync', 'synchronous_commit') order by name",
    )
    expect(rows.map(({ name, setting }) => [name, setting])).toEqual([
      ['fsync', 'on'],
      ['listen_addresses', ''],
      ['synchronous_commit', 'on'],
    ])
  })

  test('text is UTF-8 and sorted by code point, case folding covers Unicode, and the role is not a superuser', async () => {
    const database = await open(await makePreparedDataDirectory())
    const { rows } = await database.query(
      `select lower('ÀÉÎ') as lower, 'ñ' ilike 'Ñ' as ilike, 'Z' < 'a' as by_code_point,
        current_setting('server_encoding') as encoding, current_setting('is_superuser') as is_superuser`,
    )
    expect(rows).toEqual([
      { lower: 'àéî', ilike: true, by_code_point: true, encoding: 'UTF8', is_superuser: 'off' },
    ])
  })

  test('a DATA_DIR whose path is too long for a socket works, and leaves no temporary files', async () => {
    const dataDir = await makePreparedDataDirectory('x'.repeat(100))
    const database = await open(dataDir)
    await database.query(KEPT)
    const guest = await open(dataDir, 'command')
    expect(await countKept(guest)).toBe(1)
    await guest.close()
    const socketDirectory = await readFile(join(dataDir, 'postgres', 'socket-directory'), 'utf8')
    expect((await stat(socketDirectory)).mode & 0o777).toBe(0o700)
    await database.close()
    expect(existsSync(socketDirectory)).toBe(false)
    expect(await countKept(await open(dataDir))).toBe(1)
  })

  test('a start that is killed while it creates the cluster does not break the next start', async () => {
    const dataDir = await makeTemporaryDirectory()
    await mkdir(join(dataDir, 'postgres', 'cluster.new'), { recursive: true })
    await writeFile(join(dataDir, 'postgres', 'cluster.new', 'PG_VERSION'), '18\n')
    expect(await answers(await open(dataDir))).toBe(true)
  })
})

describe('a process that is killed', () => {
  test('PostgreSQL killed with -9 is started again, and nothing committed is lost', async () => {
    const dataDir = await makePreparedDataDirectory()
    const database = await open(dataDir)
    await database.query(KEPT)
    const pid = await postmasterOf(dataDir)
    process.kill(pid, 'SIGKILL')
    await until(async () => ![0, pid].includes(await postmasterOf(dataDir)), 'another one runs')
    await until(() => answers(database), 'it answers again')
    expect(await countKept(database)).toBe(1)
  })

  test('PostgreSQL killed with -9 again and again is started again each time', async () => {
    const dataDir = await makePreparedDataDirectory()
    const database = await open(dataDir)
    await database.query(KEPT)
    for (let round = 1; round <= 3; round++) {
      const pid = await postmasterOf(dataDir)
      process.kill(pid, 'SIGKILL')
      await until(
        async () => (await postmasterOf(dataDir)) !== pid && (await answers(database)),
        'a new one answers',
      )
      await database.query('insert into kept values (1)')
    }
    expect(await countKept(database)).toBe(4)
  })

  test('PostgreSQL ends when its server is killed with -9, and the next server finds all committed data', async () => {
    const dataDir = await makePreparedDataDirectory()
    const server = openInProcess({ as: 'server', dataDir })
    await server.line(/^open$/)
    const guest = await open(dataDir, 'command')
    await guest.query(KEPT)
    const pid = await postmasterOf(dataDir)
    server.kill('SIGKILL')
    await server.exited
    const next = await open(dataDir)
    expect(await countKept(next)).toBe(1)
    expect(isAlive(pid)).toBe(false)
  })

  test('a PostgreSQL that outlived its server is stopped and replaced by the next start', async () => {
    const dataDir = await makePreparedDataDirectory()
    const starter = openInProcess({ as: 'server', dataDir, outlived: true })
    await starter.line(/^open$/)
    starter.kill('SIGKILL')
    await starter.exited
    const orphan = await postmasterOf(dataDir)
    expect(isAlive(orphan)).toBe(true)

    const database = await open(dataDir)
    expect(await answers(database)).toBe(true)
    expect(isAlive(orphan)).toBe(false)
    expect(database.log).toContainEqual(expect.stringContaining(`Stopping PostgreSQL (process ${orphan})`))
  })

  test('another process that reuses the pid of an ended PostgreSQL is not signaled', async () => {
    const dataDir = await makePreparedDataDirectory()
    const stranger = spawn('sleep', ['60'])
    onTestFinished(() => void stranger.kill())
    const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
    await writeFile(file, `${stranger.pid}\n${join(dataDir, 'postgres', 'cluster')}\n1\n5432\n\n\n\nready\n`)
    expect(await answers(await open(dataDir))).toBe(true)
    expect(isAlive(stranger.pid!)).toBe(true)
  })

  test('Ctrl-C reaches the server alone: PostgreSQL stays until the server has closed it', async () => {
    const dataDir = await makePreparedDataDirectory()
    // A terminal signals the whole process group; `setsid` gives the server one of its own to signal.
    const server = openInProcess({ as: 'server', dataDir }, { prefix: ['/usr/bin/setsid', '--wait'] })
    await server.line(/^open$/)
    const group = Number(await readFile(join(dataDir, 'server.lock.pid'), 'utf8'))
    const pid = await postmasterOf(dataDir)
    process.kill(-group, 'SIGINT')
    await server.line(/^closed$/)
    expect(isAlive(pid)).toBe(false)
  })
})

describe('a server and commands on the same DATA_DIR', () => {
  test('a command joins a running server, and leaves PostgreSQL running when it is done', async () => {
    const dataDir = await makePreparedDataDirectory()
    const server = await open(dataDir)
    await server.query(KEPT)
    const pid = await postmasterOf(dataDir)
    const command = await open(dataDir, 'command')
    expect(await countKept(command)).toBe(1)
    await command.close()
    expect(await answers(server)).toBe(true)
    expect(await postmasterOf(dataDir)).toBe(pid)
  })

  test('a command without a server starts PostgreSQL for itself, and stops it', async () => {
    const dataDir = await makePreparedDataDirectory()
    const command = await open(dataDir, 'command')
    const pid = await postmasterOf(dataDir)
    await command.close()
    expect(isAlive(pid)).toBe(false)
  })

  test('several commands that start together over an empty directory share one PostgreSQL', async () => {
    const dataDir = await makeTemporaryDirectory()
    const commands = [1, 2, 3].map(() => openInProcess({ as: 'command', dataDir }))
    for (const command of commands) await command.line(/^open$/)
    for (const command of commands) command.kill('SIGTERM')
    for (const command of commands) {
      await command.line(/^closed$/)
      expect((await command.exited).code).toBe(0)
    }
    expect(await findPostmasterFile(join(dataDir, 'postgres', 'cluster'))).toBeUndefined()
  })

  test('a command that started PostgreSQL waits for the commands that joined it', async () => {
    const dataDir = await makePreparedDataDirectory()
    const owner = openInProcess({ as: 'command', dataDir })
    await owner.line(/^open$/)
    const guest = await open(dataDir, 'command')
    owner.kill('SIGTERM')
    await owner.line(/^Waiting for other commands/)
    await guest.query(KEPT)
    await guest.close()
    await owner.line(/^closed$/)
    expect(await countKept(await open(dataDir, 'command'))).toBe(1)
  })

  test('when the server stops during a command, the command reports that the database is gone', async () => {
    const dataDir = await makePreparedDataDirectory()
    const server = await open(dataDir)
    const command = await open(dataDir, 'command')
    await server.close()
    await expect(command.query('select 1')).rejects.toThrow(DatabaseUnavailable)
  })

  test('a server that joined a command takes PostgreSQL over when the command ends', async () => {
    const dataDir = await makePreparedDataDirectory()
    const command = await open(dataDir, 'command')
    await command.query(KEPT)
    const server = await open(dataDir)
    expect(await countKept(server)).toBe(1)
    await command.close()
    await until(() => answers(server), 'the server answers')
    expect(await countKept(server)).toBe(1)
    const pid = await postmasterOf(dataDir)
    await server.close()
    expect(isAlive(pid)).toBe(false)
  })

  test('a server that joined a command takes PostgreSQL over when the command is killed with -9', async () => {
    const dataDir = await makePreparedDataDirectory('x'.repeat(100))
    const command = openInProcess({ as: 'command', dataDir })
    await command.line(/^open$/)
    const server = await open(dataDir)
    await server.query(KEPT)
    command.kill('SIGKILL')
    await command.exited
    await until(() => server.log.some((line) => /^PostgreSQL [\d.]+ runs in/.test(line)), 'it takes over')
    expect(await countKept(server)).toBe(1)
  })
})

describe('refusals with a one-line error', () => {
  async function refusal(dataDir: string): Promise<string> {
    const server = openInProcess({ as: 'server', dataDir })
    const [, message] = await server.line(/^refused: (.*)$/)
    expect((await server.exited).code).toBe(1)
    expect(server.lines.filter((line) => !/^(refused|Waiting)/.test(line))).toEqual([])
    return message!
  }

  test('a second server on the same directory, and the first keeps running', async () => {
    const dataDir = await makePreparedDataDirectory()
    const first = await open(dataDir)
    expect(await refusal(dataDir)).toBe(
      `Another server (process ${process.pid}) uses DATA_DIR ${dataDir}: stop it, or give this one a DATA_DIR of its own. Several servers can share one DATABASE_URL.`,
    )
    expect(await answers(first)).toBe(true)
  })

  test('a second server in the same process too', async () => {
    const dataDir = await makePreparedDataDirectory()
    const first = await open(dataDir)
    await expect(open(dataDir)).rejects.toThrow(StartError)
    expect(await answers(first)).toBe(true)
  })

  test('a server that starts while another one stops waits for it', async () => {
    const dataDir = await makePreparedDataDirectory()
    const first = await open(dataDir)
    const second = openInProcess({ as: 'server', dataDir })
    await second.line(/^Waiting for another server/)
    await first.close()
    await second.line(/^open$/)
  })

  test('DATA_DIR that is a file', async () => {
    const dataDir = join(await makeTemporaryDirectory(), 'file')
    await writeFile(dataDir, '')
    const cannot = `DATA_DIR ${dataDir} cannot be used: part of its path is a file (ENOTDIR).`
    expect(await refusal(dataDir)).toBe(`${cannot} Name a directory that this user can write to.`)
  })

  test.runIf(existsSync('/proc/self'))('a place where nothing can be made', async () => {
    expect(await refusal('/proc/lotline')).toMatch(
      /^DATA_DIR \/proc\/lotline cannot be used: .*\(E[A-Z]+\)\./,
    )
  })

  test('data of another version of PostgreSQL', async () => {
    const dataDir = await makePreparedDataDirectory()
    await writeFile(join(dataDir, 'postgres', 'cluster', 'PG_VERSION'), '17\n')
    expect(await refusal(dataDir)).toMatch(/holds data of PostgreSQL 17, and this Lotline runs PostgreSQL 18/)
  })

  test('a cluster directory that holds other files', async () => {
    const dataDir = await makeTemporaryDirectory()
    await mkdir(join(dataDir, 'postgres', 'cluster'), { recursive: true })
    await writeFile(join(dataDir, 'postgres', 'cluster', 'notes.txt'), '')
    expect(await refusal(dataDir)).toMatch(/is not empty and holds no database/)
  })

  test('a cluster that PostgreSQL refuses to start, with the reason', async () => {
    const dataDir = await makePreparedDataDirectory()
    await rm(join(dataDir, 'postgres', 'cluster', 'global', 'pg_control'))
    expect(await refusal(dataDir)).toMatch(/^PostgreSQL cannot start in .*: .*pg_control/)
  })

  test('a platform without binaries, with a hint to set DATABASE_URL', async () => {
    await expect(findPostgresBinaries('sunos', 'x64')).rejects.toThrow(/set DATABASE_URL/)
    await expect(findPostgresBinaries('linux', 'riscv64')).rejects.toThrow(/set DATABASE_URL/)
  })
})
