// `pnpm test --touched`: types, lint, the code rules, and the tests of what has changed since the last commit, or since `--since REF`.

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { trackedFiles } from '@lotline/tidy'
import { selectTests } from './touched.ts'

/** @returns the code that the process ends with */
export function runTouched(root: string, args: readonly string[]): number {
  const since = args.includes('--since') ? args[args.indexOf('--since') + 1] : undefined
  const git = (...of: string[]) =>
    execFileSync('git', of, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const base = since === undefined ? 'HEAD' : git('merge-base', since, 'HEAD').trim()
  const changed = [
    ...git('diff', '--name-only', '--no-renames', base).split('\n'),
    ...git('ls-files', '--others', '--exclude-standard').split('\n'),
  ].filter((file) => file !== '')
  const { tests, packages, unbounded } = selectTests({
    files: trackedFiles(root),
    changed,
    read: (file) => readFileSync(`${root}/${file}`, 'utf8'),
    readBefore: (file) => {
      try {
        return execFileSync('git', ['show', `${base}:${file}`], {
          cwd: root,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        })
      } catch {
        return undefined
      }
    },
  })
  for (const test of tests) console.log(test)
  console.log(
    `${changed.length} files changed: ${tests.length} test files, types of ${packages.join(', ') || 'no package'}`,
  )
  for (const file of unbounded) console.log(`${file} may affect any test, or has none: run \`pnpm test\``)
  if (args.includes('--list')) return 0

  const present = changed.filter((file) => trackedFiles(root).includes(file))
  const steps = [
    ...packages.map((folder) => ['tsc', '-p', folder]),
    ...(present.length > 0
      ? [['biome', 'check', '--no-errors-on-unmatched', '--files-ignore-unknown=true', ...present]]
      : []),
    [process.execPath, 'tools/tidy/src/main.ts'],
    ...(tests.length > 0 ? [['vitest', 'run', '--maxWorkers=4', ...tests]] : []),
  ]
  const failed = steps.filter(
    ([command, ...of]) => spawnSync(command!, of, { cwd: root, stdio: 'inherit' }).status !== 0,
  )
  for (const [command, ...of] of failed) console.error(`✖ failed: ${[command, ...of.slice(0, 3)].join(' ')}`)
  return failed.length === 0 ? 0 : 1
}
