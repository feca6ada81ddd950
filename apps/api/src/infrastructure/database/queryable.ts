// What the rest of the program, and the parts of the database themselves, see of a database.

/** A pino logger is one. */
export interface DatabaseLog {
  debug(message: string): void
  info(message: string): void
  warn(message: string): void
}

export interface QueryResult<R> {
  readonly rows: R[]
  /** Rows returned or changed by the last statement of the text. */
  readonly rowCount: number
}

export interface QueryOptions {
  /** Prepares the statement once on each connection. A name always has the same text. */
  readonly name?: string
}

export interface Queryable {
  /**
   * Runs one statement; several, separated by semicolons, when there are no values.
   *
   * @throws {DatabaseUnavailable} when the database cannot serve now.
   * @throws {pg.DatabaseError} with its SQLSTATE in `code` when the statement fails.
   */
  query<R>(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<QueryResult<R>>
  /**
   * The one value that a query gives, as bytes, in pieces; undefined when it is null. For what is large: as the value of a row it
   * would be a string first, and several times its size. Fails as a statement does.
   *
   * @param query one row of one column of type text or bytea, without a semicolon.
   */
  readBytes(query: string, values: readonly BytesParameter[]): Promise<readonly Buffer[] | undefined>
}

/** A value in a query of `readBytes`. */
export type BytesParameter = string | number | boolean | readonly (string | number | null)[]

export interface TransactionOptions {
  /** Default: read committed. */
  readonly isolation?: 'repeatable read' | 'serializable'
  readonly readOnly?: boolean
  /** How long each of its statements may take; 0 is without bound. Default: 30 s. */
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
}

export interface Database extends Queryable {
  readonly pool: PoolState
  /**
   * Runs `work` in a transaction: committed when it resolves, rolled back when it throws. Its statements are done one
   * after the other, on one connection; `work` must use `tx` alone and await all of them.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Calls `onNotify` with the payload of each notification on the channel, from when the promise resolves until the
   * returned function is called. After a break it is called once with an empty payload: something may have been
   * missed. Waits for as long as the database is away.
   */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>
  /** Waits up to 5 s for what is under way, gives back all connections, and stops PostgreSQL if it is ours to stop. */
  close(): Promise<void>
}

/** Why this program cannot start, in one line that says what to do about it. It is shown without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** The system's code of a failed call, such as `EACCES`. */
export function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}
