import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { copyContract } from './contract-copy.ts'

// Each test starts the bundler, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const MAIN = join(import.meta.dirname, '../src/main.ts')

interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function run(...arguments_: string[]): Promise<CommandResult> {
  return new Promise((settle) => {
    execFile(process.execPath, [MAIN, ...arguments_], (error, stdout, stderr) => {
      settle({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr })
    })
  })
}

it('generated files are up to date right after generation, and a second run rewrites nothing', async () => {
  await using copy = await copyContract()
  const out = join(copy.directory, 'generated')
  const target = ['--spec', copy.specFile, '--out', out]
  expect(await run(...target)).toMatchObject({ code: 0, stderr: '' })
  const before = await stat(join(out, 'types.ts'))
  expect(await run('--check', ...target)).toEqual({
    code: 0,
    stdout: 'The 5 generated files are up to date.\n',
    stderr: '',
  })
  expect(await run(...target)).toMatchObject({ code: 0, stdout: 'The 5 generated files are up to date.\n' })
  expect((await stat(join(out, 'types.ts'))).mtimeMs).toBe(before.mtimeMs)
})

it('--check names changed, missing, and stale files, fails, and writes nothing', async () => {
  await using copy = await copyContract()
  const out = join(copy.directory, 'generated')
  const target = ['--spec', copy.specFile, '--out', out]
  await run(...target)
  await writeFile(join(out, 'errors.ts'), `${await readFile(join(out, 'errors.ts'), 'utf8')} `)
  await rm(join(out, 'types.ts'))
  await writeFile(join(out, 'old.ts'), '')
  const before = await readdir(out)

  const checked = await run('--check', ...target)
  expect(checked.code).toBe(1)
  expect(checked.stdout.split('\n').slice(0, -1)).toEqual([
    'changed errors.ts',
    'stale   old.ts',
    'missing types.ts',
  ])
  expect(checked.stderr).toContain('Run `pnpm generate`')
  expect(await readdir(out)).toEqual(before)

  expect((await run(...target)).code).toBe(0)
  expect((await run('--check', ...target)).code).toBe(0)
  expect(await readdir(out)).toEqual([
    'errors.ts',
    'openapi-3.0.json',
    'openapi.json',
    'operations.ts',
    'types.ts',
  ])
})

it('--check names the files affected by a change in the contract', async () => {
  await using copy = await copyContract()
  const out = join(copy.directory, 'generated')
  const target = ['--spec', copy.specFile, '--out', out]
  await run(...target)
  await copy.edit('paths/homes.{id}.yaml', 'price: 3', 'price: 4')
  const checked = await run('--check', ...target)
  expect(checked).toMatchObject({
    code: 1,
    stdout: 'changed openapi-3.0.json\nchanged openapi.json\nchanged operations.ts\n',
  })
})

it('a contract with a fault leaves all files unchanged and fails with one message', async () => {
  await using copy = await copyContract()
  const out = join(copy.directory, 'generated')
  await mkdir(out)
  await writeFile(join(out, 'errors.ts'), 'kept')
  await copy.edit('paths/homes.yaml', 'per: row', 'per: month')
  const failed = await run('--spec', copy.specFile, '--out', out)
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(failed.stderr).toBe(
    'The contract cannot be generated from:\n  listHomes: x-credits.per must be call or row\n',
  )
  expect(await readFile(join(out, 'errors.ts'), 'utf8')).toBe('kept')
})

it('an unknown option fails with a message that names it', async () => {
  const failed = await run('--chekc')
  expect(failed.code).toBe(1)
  expect(failed.stderr).toContain("Unknown option '--chekc'")
})
