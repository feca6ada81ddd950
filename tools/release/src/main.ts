// `pnpm release:pack` and `pnpm release:spec`. Exit code 1 with what is in the way where a release cannot be made.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { UsageError } from '@lotline/schema-diff'
import { checkCalls, recordCalls } from './calls/recording.ts'
import { releasePack } from './pack/release-pack.ts'
import { ReleaseRefusal } from './refused.ts'
import { publishSpec, releaseSpec } from './spec/release-spec.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[/\\]$/, '')
const USAGE = `Usage: pnpm release:spec            makes the contract as it is the baseline of the schema diff
       pnpm release:spec --publish  records that the baseline is published: it never changes again
       pnpm release:pack            builds, checks and packs what would be published into release/

CONTRIBUTING.md has the order of a release.`

const [verb, ...more] = process.argv.slice(2)
try {
  const publish = verb === 'spec' && more.length === 1 && more[0] === '--publish'
  if ((more.length > 0 && !publish) || (verb !== 'spec' && verb !== 'pack')) {
    console.log(USAGE)
    process.exitCode = more.includes('--help') || verb === '--help' ? 0 : 1
  } else {
    refuseStaleBundle()
    if (publish) console.log(await publishSpec(ROOT, new Date().toISOString().slice(0, 10)))
    else if (verb === 'spec') {
      // Only if the recording is of the last baseline does it say what this one accepted.
      const { isRed, isOfBaseline, text } = await checkCalls(ROOT)
      if (isRed && isOfBaseline) throw new ReleaseRefusal(text)
      console.log(await releaseSpec(ROOT))
      console.log(await recordCalls(ROOT))
    } else await releasePack(ROOT, console.log)
  }
} catch (error) {
  if (!(error instanceof ReleaseRefusal || error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

function refuseStaleBundle(): void {
  const { status, stderr } = spawnSync(process.execPath, ['tools/generate/src/main.ts', '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  if (status !== 0) throw new ReleaseRefusal(stderr.trim())
}
