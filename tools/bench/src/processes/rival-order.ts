/** The order for the process of `rival-fastify.ts`. */
export interface RivalOrder {
  readonly dataDir: string
  /** The name of its schema, and the number of connections to PostgreSQL. */
  readonly schema: string
  readonly connections: number
  /** Statements one by one in a transaction, or all in one statement with the records in memory. */
  readonly way: 'transaction' | 'statement'
  /** Calls a minute and key. */
  readonly limit: number
}
