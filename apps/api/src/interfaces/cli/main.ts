// The entry point of the `lotline` command.

import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Compiling our own source takes half the time of a short command, so the compile cache is kept beside the packages, where only users who
// can change the source can write. If it cannot be written, the source is compiled each time.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))
const { run } = await import('./program.ts')

// The program that reads our output may stop reading, as `| head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

process.exitCode = await run(process.argv.slice(2))
