// The interface of a database, for the rest of the program and for the parts of this folder.

/** A pino logger satisfies this interface. */
export interface DatabaseLog {
  debug(message: string): void
  info(message: string): void
  warn(message: string): void
}

export interface QueryResult<R> {
  readonly rows: R[]
  /** Rows that the last statement of the text returned or changed. */
  readonly rowCount: number
}

export interface QueryOptions {
  /** Prepares the statement once on each connection. A name always has the same text. */
  readonly name?: string
}

export interface Queryable {
  /**
   * Runs one statement, or several separated by semicolons if there are no values.
   *
   * @throws {DatabaseUnavailable} when the database is unavailable
   * @throws {pg.DatabaseError} with its SQLSTATE in `code` when the statement fails
   */
  query<R>(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<QueryResult<R>>
  /**
   * Returns the single value of a query as bytes, in chunks; undefined if it is null. Use it for large values: as a column value,
   * it would first be a string of several times its size. Fails like `query`.
   *
   * @param query returns one row with one column of type text or bytea; without a semicolon
   */
  readBytes(query: string, values: readonly BytesParameter[]): Promise<readonly Buffer[] | undefined>
}

/** A value in a query of `readBytes`. */
export type BytesParameter = string | number | boolean | readonly (string | number | null)[]

export interface TransactionOptions {
  /** Default: read committed. */
  readonly isolation?: 'repeatable read' | 'serializable'
  readonly readOnly?: boolean
  /** Timeout of each statement; 0: none. Default: 30 s. */
  readonly statementTimeoutMs?: number
}

/** How busy the pool of connections is. */
export interface PoolState {
  /** Connections that are open. */
  readonly total: number
  /** The idle ones. */
  readonly idle: number
  /** Statements and transactions that wait for one. */
  readonly waiting: number
  /** Milliseconds since a statement last failed because the disk of the database is full. undefined: none did. */
  readonly diskFullMsAgo?: number | undefined
}

export interface Database extends Queryable {
  readonly pool: PoolState
  /**
   * Runs `work` in a transaction, which is committed when it resolves and rolled back when it throws. Its statements run one
   * after the other on one connection; `work` must use only `tx`, and await all of them.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Calls `onNotify` with the payload of each notification on the channel, from when the promise resolves until the returned
   * function is called. After a lost connection, it is called once with an empty payload, because notifications may have been
   * missed. Waits as long as the database is unavailable.
   */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>
  /** Waits up to 5 s for running work, closes all connections, and stops PostgreSQL if this process owns it. */
  close(): Promise<void>
}

/** The reason why this program cannot start, in one line that says what to do. It is shown without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** The error code of a failed system call, such as `EACCES`. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}
