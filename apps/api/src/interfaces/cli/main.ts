// The process of the `lotline` command.

import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Half of a short command's time goes into reading our own source: what was read once is kept beside the packages,
// where only users can write who can change the source as well. Where it cannot be kept, it is read each time.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))
const { run } = await import('./program.ts')

// The program that reads our output may stop reading, as `| head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

process.exitCode = await run(process.argv.slice(2))
