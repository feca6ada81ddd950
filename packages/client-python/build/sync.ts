// `node packages/client-python/build/sync.ts` makes src/lotline/_sync from src/lotline/_async: the same code without `await`. It
// also writes _version.py.
// With --check it writes nothing, and fails when a file is not up to date.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

const ASYNC = new URL('../src/lotline/_async/', import.meta.url)
const SYNC = new URL('../src/lotline/_sync/', import.meta.url)

const VERSION = new URL('../src/lotline/_version.py', import.meta.url)
const PACKAGE = new URL('../package.json', import.meta.url)

const HEADER = '# Made from _async by `pnpm generate`. Edits are lost: change the original instead.\n'

/** In order. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/^ +if inspect\.isawaitable\(told\):\n +await told\n/gm, ''],
  [/^ +told = (on_progress\(job\))\n/gm, '                $1\n'],
  [/^import inspect\n/gm, ''],
  [/^import time\n/gm, ''],
  [/^import anyio\n\n?/gm, ''],
  [/^(from __future__ import annotations\n)([\s\S]*anyio\.sleep)/m, '$1\nimport time$2'],
  [/anyio\.sleep/g, 'time.sleep'],
  [/Awaitable\[None\] \| None/g, 'object'],
  [/Awaitable\[((?:[^[\]]|\[(?:[^[\]]|\[[^[\]]*\])*\])*)\]/g, '$1'],
  [/\bAwaitable, |, Awaitable\b/g, ''],
  [/^from collections\.abc import Awaitable\n/gm, ''],
  [/\basync (def|for|with) /g, '$1 '],
  [/\bawait /g, ''],
  [/\bAsyncIterator\b/g, 'Iterator'],
  [/\basynccontextmanager\b/g, 'contextmanager'],
  [/\bAsyncClient\b/g, 'Client'],
  [/\bAsync([A-Z]\w*)/g, '$1'],
  [/__a(iter|next|enter|exit)__/g, '__$1__'],
  [/\baclose\b/g, 'close'],
  [/\baiter_bytes\b/g, 'iter_bytes'],
]

/** A file of `_sync` from its original. */
export function toSyncCode(text: string): string {
  return HEADER + REPLACEMENTS.reduce((made, [pattern, by]) => made.replace(pattern, by), text)
}

/** `_version.py`. The version is that of package.json, which the changesets set. */
export function versionModule(manifest: string): string {
  const { version } = JSON.parse(manifest) as { readonly version: string }
  return `# Written by \`pnpm generate\` from package.json, whose version the changesets set.\n__version__ = "${version}"\n`
}

if (import.meta.main) {
  mkdirSync(SYNC, { recursive: true })
  const present = new Set(readdirSync(SYNC).filter((name) => name.endsWith('.py')))
  const originals = readdirSync(ASYNC).filter((name) => name.endsWith('.py'))
  const stale = originals.filter((name) => {
    const made =
      name === '__init__.py'
        ? `${HEADER}"""The client without \`\`await\`\`."""\n`
        : toSyncCode(readFileSync(new URL(name, ASYNC), 'utf8'))
    if (present.has(name) && readFileSync(new URL(name, SYNC), 'utf8') === made) return false
    if (!process.argv.includes('--check')) writeFileSync(new URL(name, SYNC), made)
    return true
  })
  const version = versionModule(readFileSync(PACKAGE, 'utf8'))
  if (readFileSync(VERSION, 'utf8') !== version) {
    stale.push('_version.py')
    if (!process.argv.includes('--check')) writeFileSync(VERSION, version)
  }
  if (process.argv.includes('--check') && stale.length > 0) {
    console.error(`The Python client is out of date (${stale.join(', ')}). Run \`pnpm generate\`.`)
    process.exitCode = 1
  }
}
