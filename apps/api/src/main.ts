// The process: reads the settings, builds the house, serves until it is told to stop. Whatever keeps it from starting
// is said in one clear line, and the exit code is not 0.

import { ConfigError } from './config/config.ts'
import { StartError } from './database/database.ts'
import { start } from './start.ts'

try {
  await start()
} catch (error) {
  const known = error instanceof ConfigError || error instanceof StartError
  process.stderr.write(`lotline: ${known ? error.message : String((error as Error)?.stack ?? error)}\n`)
  process.exit(1)
}
