// A process that does one step of a sequence of imports and undos, so that the test can kill it in the middle. Its arguments are the
// step as JSON.

import { connectDatabase } from '../../../src/infrastructure/database/database.ts'
import { runStep, type Step } from './undo-tools.ts'

const database = await connectDatabase({ target: JSON.parse(process.env.TARGET!), poolSize: 4 })
try {
  process.stdout.write('begun\n')
  await runStep(database, JSON.parse(process.argv[2]!) as Step)
} finally {
  await database.close()
}
