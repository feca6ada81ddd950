// The first command of the README on a fresh clone, whose packages are in pnpm's store already, and again.

import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Measurement } from '../measurement.ts'
import { timeStart } from '../processes/start-command.ts'

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url))
/** A clone with all its packages is written in each. */
const MAX_ROUNDS = 3
const run = promisify(execFile)

export const readme: Measurement = {
  name: 'readme',
  onlyWhenAsked: true,
  measures: [
    {
      name: 'start command of the README, fresh clone, warm store',
      unit: 's',
      target: { of: 'ours', bound: 'at most', value: 30 },
    },
    { name: 'the same, again', unit: 's', target: { of: 'ours', bound: 'at most', value: 5 } },
  ],
  async run({ directory, rounds }) {
    const clone = join(directory, 'clone')
    const [first, again]: [number[], number[]] = [[], []]
    const { stdout: commit } = await run('git', ['-C', REPOSITORY, 'rev-parse', '--short', 'HEAD'])
    for (let round = 0; round < Math.min(rounds, MAX_ROUNDS); round++) {
      await run('git', ['clone', '--quiet', REPOSITORY, clone])
      first.push(await timeStart(clone, 'curl -H'))
      again.push(await timeStart(clone, 'Lotline serves'))
      await rm(clone, { recursive: true, force: true })
    }
    const what = `commit ${commit.trim()}, without changes that are not committed`
    return [
      { ours: first, note: `from the command to its curl line, the install included; ${what}` },
      { ours: again, note: 'from the command to the line that tells where it serves' },
    ]
  },
}
