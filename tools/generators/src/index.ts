// What other tests use: virtual environments, and a service with accounts.

export { installVenv, type Python } from './python.ts'
export { runProgram } from './run-program.ts'
export { type RunningService, startService } from './running-service.ts'
