// A bounded pool of connections, and transactions on it. A statement returns, or fails within a bounded time with the database's
// own error or with `DatabaseUnavailable`. A connection that returns to the pool has nothing open on it. The pool works again as
// soon as the database does.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { retry } from '../../platform/retry.ts'
import type {
  BytesParameter,
  DatabaseLog,
  PoolState,
  Queryable,
  QueryOptions,
  QueryResult,
  TransactionOptions,
} from '../queryable.ts'
import {
  classifyTrouble,
  DatabaseUnavailable,
  isDiskFull,
  isPlanOutdated,
  isProbablyRestarting,
  shortReason,
  wasSent,
} from './unavailable.ts'

export interface ConnectionOptions {
  /** The connection parameters. */
  readonly target: pg.ClientConfig
  /** Maximum number of connections, without the one for listening. */
  readonly poolSize: number
  readonly log: DatabaseLog
}

export interface ConnectionPool extends Queryable {
  readonly pool: PoolState
  transaction<T>(work: (tx: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>
  close(): Promise<void>
}

/** Default timeout of a statement. */
const STATEMENT_TIMEOUT_MS = 30_000
/** How long a caller may wait for a connection. */
export const CONNECT_TIMEOUT_MS = 5_000
// A restart of the embedded database takes about 100 ms. Statements that were not sent yet wait for it.
const RESTART_RETRY = { timeoutMs: 1_000, pauseMs: 50, mayPass: isProbablyRestarting }
// A peer that is silent for longer than the database's own timeouts is considered dead.
const SILENCE_MARGIN_MS = 10_000
const CLOSE_GRACE_MS = 5_000

/** The configuration of every connection, pooled or not. */
export function clientConfig(target: pg.ClientConfig): pg.ClientConfig {
  return {
    application_name: 'lotline',
    ...target,
    types: columnTypes,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
}

/** Connections are opened on first use. */
export function createConnectionPool({ target, poolSize, log }: ConnectionOptions): ConnectionPool {
  const pool = new pg.Pool({
    ...clientConfig(target),
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    // Sent as a statement and not with the connection's start: PgBouncer refuses unknown start parameters.
    onConnect: async (client: pg.ClientBase) => {
      await client.query(
        `set statement_timeout = ${STATEMENT_TIMEOUT_MS}; set idle_in_transaction_session_timeout = 60000; set timezone = 'UTC'`,
      )
    },
  } as pg.PoolConfig)
  // Without these listeners, a connection that the database closes while it is idle, or between two statements, would end the
  // process.
  pool.on('error', (error) => log.debug(`An idle database connection ended: ${shortReason(error)}.`))
  pool.on('connect', (client) => client.on('error', () => {}))

  const out = new Set<pg.PoolClient>()
  let diskFullAt: number | undefined
  const answerDueAt = new Map<pg.PoolClient, number>()
  const watch = setInterval(() => {
    for (const [client, deadline] of answerDueAt) {
      if (performance.now() > deadline) void client.end()
    }
  }, 1_000)
  watch.unref()

  async function acquire(): Promise<pg.PoolClient> {
    try {
      const client = await retry(() => pool.connect(), RESTART_RETRY)
      out.add(client)
      return client
    } catch (error) {
      throw toUnavailable(error, false)
    }
  }

  function giveBack(client: pg.PoolClient, broken: boolean): void {
    out.delete(client)
    client.release(broken)
  }

  async function run<R>(
    client: pg.PoolClient,
    statement: pg.QueryConfig,
    timeoutMs: number,
    commits: boolean,
  ): Promise<pg.QueryResult & QueryResult<R>> {
    const result = await answered<pg.QueryResult | pg.QueryResult[]>(client, timeoutMs, commits, () =>
      client.query(statement),
    )
    const last = Array.isArray(result) ? result.at(-1)! : result
    return Object.assign(last, { rowCount: last.rowCount ?? 0 })
  }

  /** Runs work on a connection, in time and with the errors that this module promises. */
  async function answered<T>(
    client: pg.PoolClient,
    timeoutMs: number,
    commits: boolean,
    ask: () => Promise<T>,
  ): Promise<T> {
    if (timeoutMs > 0) answerDueAt.set(client, performance.now() + timeoutMs + SILENCE_MARGIN_MS)
    try {
      return await ask()
    } catch (error) {
      if (isDiskFull(error)) diskFullAt = performance.now()
      const trouble = classifyTrouble(error)
      throw trouble === undefined ? error : toUnavailable(error, commits && wasSent(error))
    } finally {
      answerDueAt.delete(client)
    }
  }

  function query<R>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<QueryResult<R>> {
    return withClient((client) =>
      run<R>(client, toQueryConfig(text, values, options), STATEMENT_TIMEOUT_MS, true),
    )
  }

  async function withClient<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    // Each connection of the pool may have an outdated plan.
    for (let outdated = 0; ; outdated++) {
      const client = await acquire()
      let broken = false
      try {
        return await use(client)
      } catch (error) {
        const again = isPlanOutdated(error) && outdated < poolSize
        broken = again || isBroken(error)
        if (!again) throw error
      } finally {
        giveBack(client, broken)
      }
    }
  }

  async function transaction<T>(
    work: (tx: Queryable) => Promise<T>,
    { isolation, readOnly, statementTimeoutMs = STATEMENT_TIMEOUT_MS }: TransactionOptions = {},
  ): Promise<T> {
    const client = await acquire()
    // The connection counts as broken until nothing is open on it.
    let broken = true
    const send = (text: string, commits = false) => run(client, { text }, statementTimeoutMs, commits)
    const tx = createStatementQueue(
      (statement) => run(client, statement, statementTimeoutMs, false),
      (query, values) => answered(client, statementTimeoutMs, false, () => readBytes(client, query, values)),
    )
    try {
      const mode = `${isolation ? ` isolation level ${isolation}` : ''}${readOnly ? ' read only' : ''}`
      const limit =
        statementTimeoutMs === STATEMENT_TIMEOUT_MS
          ? ''
          : `; set local statement_timeout = ${statementTimeoutMs}`
      await send(`begin${mode}${limit}`)
      try {
        const result = await work(tx.queryable)
        await tx.finish()
        const commit = await send('commit', true)
        broken = false
        if (commit.command === 'ROLLBACK') {
          throw new Error(
            'A statement of the transaction failed and its error was ignored, so the transaction was rolled back. Let the error propagate.',
          )
        }
        return result
      } catch (error) {
        if (broken) {
          await tx.finish().catch(() => {})
          broken = await send('rollback').then(
            () => false,
            () => true,
          )
        }
        if (isPlanOutdated(error)) {
          broken = true
          throw toUnavailable(error, false)
        }
        throw error
      }
    } finally {
      giveBack(client, broken)
    }
  }

  async function close(): Promise<void> {
    clearInterval(watch)
    const grace = new AbortController()
    const late = sleep(CLOSE_GRACE_MS, true, { signal: grace.signal }).catch(() => false)
    const ended = pool.end().then(() => false)
    if (await Promise.race([ended, late])) for (const client of out) void client.end()
    grace.abort()
  }

  return {
    get pool() {
      return {
        total: pool.totalCount,
        idle: pool.idleCount,
        waiting: pool.waitingCount,
        diskFullMsAgo: diskFullAt === undefined ? undefined : performance.now() - diskFullAt,
      }
    },
    query,
    readBytes: (text, values) =>
      withClient((client) =>
        answered(client, STATEMENT_TIMEOUT_MS, false, () => readBytes(client, text, values)),
      ),
    transaction,
    close,
  }
}

function toQueryConfig(text: string, values?: readonly unknown[], options?: QueryOptions): pg.QueryConfig {
  const statement: pg.QueryConfig = { text }
  if (values !== undefined) statement.values = values as unknown[]
  if (options?.name !== undefined) statement.name = options.name
  return statement
}

function isBroken(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && classifyTrouble(error.cause) !== 'busy'
}

/**
 * Runs the statements of a connection one after the other, even if the caller does not await them, and none after the end.
 * `finish` throws if a statement is still running, because its caller forgot to await it.
 */
function createStatementQueue(
  run: (statement: pg.QueryConfig) => Promise<QueryResult<unknown>>,
  read: Queryable['readBytes'],
) {
  let last: Promise<unknown> = Promise.resolve()
  let underWay = 0
  let finished = false
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    if (finished)
      return Promise.reject(
        new Error('The transaction of this statement has already ended. Await each statement inside it.'),
      )
    underWay += 1
    const result = last.then(work).finally(() => (underWay -= 1))
    last = result.catch(() => {})
    return result
  }
  const queryable: Queryable = {
    query: <R>(text: string, values?: readonly unknown[], options?: QueryOptions) =>
      inOrder(() => run(toQueryConfig(text, values, options)) as Promise<QueryResult<R>>),
    readBytes: (query, values) => inOrder(() => read(query, values)),
  }
  async function finish(): Promise<void> {
    finished = true
    const forgotten = underWay > 0
    await last
    if (forgotten)
      throw new Error(
        'The transaction function returned before one of its statements finished. Await each statement.',
      )
  }
  return { queryable, finish }
}

function toUnavailable(error: unknown, outcomeUnknown: boolean): DatabaseUnavailable {
  return new DatabaseUnavailable(`The database cannot be used now: ${shortReason(error)}.`, {
    cause: error,
    outcomeUnknown,
  })
}

// Converts column values to JavaScript values where pg itself would lose or distort something.

const INT8 = 20
const INT8_ARRAY = 1016
const NUMERIC = 1700
const NUMERIC_ARRAY = 1231
const DATE = 1082
const DATE_ARRAY = 1182
const TEXT_ARRAY = 1009

type ParseValue = (text: string) => unknown

const parseTextArray = pg.types.getTypeParser(TEXT_ARRAY as number, 'text') as (text: string) => unknown[]

const PARSERS = new Map<number, ParseValue>([
  [INT8, toInteger],
  [INT8_ARRAY, parseArrayWith(toInteger)],
  [NUMERIC, Number],
  [NUMERIC_ARRAY, parseArrayWith(Number)],
  // A day is not an instant: a Date would shift with the time zone of the machine.
  [DATE, (text) => text],
  [DATE_ARRAY, parseTextArray],
])

/**
 * bigint and numeric → number, date → 'YYYY-MM-DD', timestamptz → Date, json → its value, bytea → Buffer.
 * A bigint that a number cannot hold exactly is an error, never a rounded value.
 */
const columnTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const parse = format === 'binary' ? undefined : PARSERS.get(oid)
    return parse ?? pg.types.getTypeParser(oid, format as 'text')
  },
}

function toInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new RangeError(
      `The integer ${text} exceeds the largest safe number (2^53 - 1). Cast it to text in the query.`,
    )
  return value
}

function parseArrayWith(parse: ParseValue): ParseValue {
  const each = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.map(each)
    return item === null ? null : parse(item as string)
  }
  return (text) => each(parseTextArray(text))
}

// Reads large values as the bytes that PostgreSQL sends. As strings they would take several times their size in JavaScript's
// heap, which grows for them and does not shrink again. This parses PostgreSQL's binary COPY format (docs: "COPY", "Binary
// Format") of one row with one column. Before the value come a signature of 11 bytes, flags, the length of an extension, the
// number of columns, and the length of the value. After it comes the end mark, in place of another row's number of columns.
const FLAGS_AT = 11
const LENGTH_AT = FLAGS_AT + 4 + 4 + 2
const VALUE_AT = LENGTH_AT + 4
const NULL_LENGTH = -1

/** Returns the value of a query with one row and one column, in chunks; undefined if it is null. */
async function readBytes(
  client: pg.ClientBase,
  query: string,
  values: readonly BytesParameter[],
): Promise<readonly Buffer[] | undefined> {
  const pieces: Buffer[] = []
  for await (const piece of client.query(
    copyTo(`copy (${withLiterals(query, values)}) to stdout (format binary)`),
  )) {
    pieces.push(piece as Buffer)
  }
  const length = Buffer.concat(pieces, VALUE_AT).readInt32BE(LENGTH_AT)
  return length === NULL_LENGTH ? undefined : slicePieces(pieces, VALUE_AT, VALUE_AT + length)
}

/** COPY accepts no parameters, so values become literals. */
function withLiterals(query: string, values: readonly BytesParameter[]): string {
  return query.replace(/\$(\d+)/g, (_, number) =>
    pg.escapeLiteral(toParameterText(values[Number(number) - 1]!)),
  )
}

/** A literal for PostgreSQL. Each item of a list is quoted, whatever its characters. */
function toParameterText(value: BytesParameter): string {
  if (typeof value !== 'object') return String(value)
  const items = value.map((item) => (item === null ? 'NULL' : `"${String(item).replace(/["\\]/g, '\\$&')}"`))
  return `{${items}}`
}

/** The bytes of a range, without copying them. */
function slicePieces(pieces: readonly Buffer[], from: number, to: number): Buffer[] {
  let at = 0
  return pieces.flatMap((piece) => {
    const part = piece.subarray(Math.max(0, from - at), Math.max(0, to - at))
    at += piece.length
    return part.length > 0 ? [part] : []
  })
}
