// `node tools/generate/src/each.ts FILE… [--check]` runs several generators of a package one after the other, each with the
// options. It fails when one of them does.

import { spawnSync } from 'node:child_process'

const args = process.argv.slice(2)
const options = args.filter((arg) => arg.startsWith('-'))

for (const file of args.filter((arg) => !options.includes(arg))) {
  const { status } = spawnSync(process.execPath, [file, ...options], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
