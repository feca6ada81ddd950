// Every operation of the contract.

export { createOperations, type OperationsDeps } from './operations/index.ts'
