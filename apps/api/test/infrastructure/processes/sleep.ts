// A process that prints its identity and keeps running.

import { identifyThisProcess } from '../../../src/infrastructure/processes/process-identity.ts'

console.log(JSON.stringify(identifyThisProcess()))
setInterval(() => {}, 1000)
