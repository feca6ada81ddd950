import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findRemovedReleases, RELEASED, SCHEMA_1 } from '../src/removed-releases.ts'

const line = (digit: string, name: string) => `${digit.repeat(64)}  ${name}`
const ONE = line('1', '0001_one.sql')
const TWO = line('2', '0002_two.sql')
const THREE = line('3', '0003_three.sql')

/** A repository whose schema 1 is the first two files. */
function released() {
  const root = mkdtempSync(join(tmpdir(), 'lotline-released-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
    })
  const write = (...lines: string[]) => writeFileSync(join(root, RELEASED), `${lines.join('\n')}\n`)
  const commit = () => {
    git('add', '-A')
    git('commit', '-qm', 'x')
  }
  git('init', '-q')
  mkdirSync(dirname(join(root, RELEASED)), { recursive: true })
  // A draft before schema 1 is no release.
  write(THREE)
  commit()
  write(ONE, TWO)
  commit()
  writeFileSync(join(root, SCHEMA_1), git('rev-parse', 'HEAD'))
  commit()
  return { root, write, commit }
}

test('a list of released migrations that only grew is accepted', () => {
  const { root, write, commit } = released()
  expect(findRemovedReleases(root)).toEqual([])
  write(ONE, TWO, THREE)
  commit()
  expect(findRemovedReleases(root)).toEqual([])
})

test('a line that the working tree removes from the list is reported', () => {
  const { root, write } = released()
  write(ONE)
  expect(findRemovedReleases(root)).toEqual([TWO])
})

test('a line that a commit removes or changes is reported from then on', () => {
  const { root, write, commit } = released()
  write(ONE, line('4', '0002_two.sql'))
  commit()
  expect(findRemovedReleases(root)).toEqual([TWO])
})

test('the list is not judged without a git history', () => {
  const { root, write } = released()
  writeFileSync(join(root, SCHEMA_1), `${'0'.repeat(40)}\n`)
  write(ONE)
  expect(findRemovedReleases(root)).toEqual([])
})
