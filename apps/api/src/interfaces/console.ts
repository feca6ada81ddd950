// The console for operators, on a listener of its own.

export { createConsole } from './console/console.ts'
