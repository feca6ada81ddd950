import { execFile } from 'node:child_process'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Contract } from './contract.ts'
import { readDocument } from './read-document.ts'
import { UsageError } from './usage-error.ts'

const entry = join('spec', 'openapi.yaml')

/**
 * Bundles `spec/openapi.yaml` as it stands now, so that a comparison never sees a stale bundle. Nothing is left
 * behind.
 * @param root the folder that holds `spec`
 * @throws UsageError when there is no spec, or it cannot be bundled; the bundler's own words are in the message
 */
export async function bundleWorkingSpec(root: string): Promise<Contract> {
  await access(join(root, entry)).catch(() => {
    throw new UsageError(`There is no working spec: ${entry} does not exist. Name a bundle with --head.`)
  })
  const folder = await mkdtemp(join(tmpdir(), 'schema-diff-'))
  try {
    const bundle = join(folder, 'openapi.json')
    await runBundler(root, bundle)
    return await readDocument(bundle, `the working spec (${entry})`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runBundler(root: string, bundle: string): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json')
  const bundler = join(dirname(manifest), 'bin', 'cli.js')
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const run = promisify(execFile)(process.execPath, [bundler, 'bundle', entry, '--output', bundle], {
    cwd: root,
    env,
  })
  await run.catch((error: Error & { stderr?: string }) => {
    throw new UsageError(`The working spec cannot be bundled:\n${error.stderr?.trim() || error.message}`)
  })
}
