// A process that says who it is and stays.

import { identifyThisProcess } from '../../../src/infrastructure/processes/process-identity.ts'

console.log(JSON.stringify(identifyThisProcess()))
setInterval(() => {}, 1000)
