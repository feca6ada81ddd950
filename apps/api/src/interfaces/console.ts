// The operator console, on its own listener.

export { createConsole } from './console/console.ts'
