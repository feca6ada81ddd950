import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BytesParameter,
  connectDatabase,
  DatabaseUnavailable,
  type Queryable,
} from '../../../src/infrastructure/database/database.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

const own = withTestDatabase({ poolSize: 4 })

async function read(text: string, values?: readonly unknown[]): Promise<unknown> {
  return (await own.database.query<{ value: unknown }>(text, values)).rows[0]?.value
}

/** Ends the connections of the test database, except those of `except`. */
async function endConnections(state: 'idle' | 'idle in transaction' | 'active'): Promise<void> {
  const outside = connectDatabase({ target: own.target, poolSize: 1 })
  try {
    await outside.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state = $1`,
      [state],
    )
  } finally {
    await outside.close()
  }
}

describe('values', () => {
  test.each([
    ['9007199254740991::bigint', 9007199254740991],
    ['-42::bigint', -42],
    ['array[1, null, 3]::bigint[]', [1, null, 3]],
    [
      'array[[1, 2], [3, 4]]::bigint[]',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['array[1.5, 2]::numeric[]', [1.5, 2]],
    ['12.5::numeric', 12.5],
    ['0.1::float8', 0.1],
    ['count(*)', 1],
    ['sum(2::bigint)', 2],
    ["date '2026-11-21'", '2026-11-21'],
    ["array[date '2026-11-21']", ['2026-11-21']],
    ["timestamptz '2026-11-21 12:00:00.125+02'", new Date('2026-11-21T10:00:00.125Z')],
    [`'{"a": [1, null]}'::jsonb`, { a: [1, null] }],
    ["'\\x00ff'::bytea", Buffer.from([0, 255])],
    ['null::bigint', null],
    ["array['a', null, 'b,\"c']::text[]", ['a', null, 'b,"c']],
    ["current_setting('timezone')", 'UTC'],
  ])('%s is read as the right JavaScript value', async (expression, expected) => {
    expect(await read(`select ${expression} as value`)).toEqual(expected)
  })

  test('every safe integer is read back unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.maxSafeInteger(), async (n) => {
        expect(await read('select $1::bigint as value', [n])).toBe(n)
      }),
      { numRuns: 50 },
    )
  })

  test('an integer too large for a number is an error, and the connection stays usable', async () => {
    await expect(read('select 9007199254740993::bigint as value')).rejects.toThrow(RangeError)
    expect(await read('select 1 as value')).toBe(1)
  })
})

describe('statements', () => {
  test('rowCount is that of the last statement, and 0 if the statement has none', async () => {
    const { database } = own
    expect((await database.query('select generate_series(1, 3)')).rowCount).toBe(3)
    expect((await database.query('create temporary table gone (n integer)')).rowCount).toBe(0)
    expect((await database.query('select 1; select generate_series(1, 2)')).rowCount).toBe(2)
  })

  test('an invalid statement fails with its SQLSTATE, and not as an unavailable database', async () => {
    await expect(own.database.query('selec 1')).rejects.toMatchObject({ code: '42601' })
    await expect(own.database.query('select 1/0')).rejects.not.toBeInstanceOf(DatabaseUnavailable)
  })

  test('a named statement is prepared once, and stays prepared after an error', async () => {
    const divide = () => own.database.query('select 1 / $1::integer as value', [0], { name: 'divide' })
    await expect(divide()).rejects.toMatchObject({ code: '22012' })
    await expect(divide()).rejects.toMatchObject({ code: '22012' })
    const { rows } = await own.database.query('select 1 / $1::integer as value', [1], { name: 'divide' })
    expect(rows).toEqual([{ value: 1 }])
  })

  test('all calls are answered, even if there are far more than connections', async () => {
    const sums = await Promise.all(
      Array.from({ length: 500 }, (_, n) => read('select $1::int + 1 as value', [n])),
    )
    expect(sums).toEqual(Array.from({ length: 500 }, (_, n) => n + 1))
  })
})

describe('a value that is read as bytes', () => {
  const bytes = async (query: string, values: BytesParameter[] = []) => {
    const pieces = await own.database.readBytes(query, values)
    return pieces && Buffer.concat(pieces).toString()
  }

  test('is exact for any characters, and parameters cannot inject SQL', async () => {
    for (const text of [
      '',
      'a',
      "it's",
      '\\',
      '\\N',
      '$1 $2',
      'a\nb\tc',
      "'); drop table x; --",
      'é – 家 🏠',
    ]) {
      expect(await bytes('select $1 || $2', [text, 7])).toBe(`${text}7`)
    }
  })

  test('accepts lists as parameters, and their items cannot inject SQL', async () => {
    const items = ['', 'a,b', '"', "it's", '\\', '{}', 'NULL', '$1', 'é – 家 🏠']
    expect(await bytes('select array_to_string($1::text[], $2)', [items, '|'])).toBe(items.join('|'))
    expect(
      await bytes('select $1::bigint[] @> $2::bigint[]', [[1, 2 ** 53 - 1], [2 ** 53 - 1]]),
    ).toBeDefined()
    expect(await bytes("select coalesce(($1::text[])[1], 'none')", [[null]])).toBe('none')
  })

  test('is read in the transaction, in the order of its statements', async () => {
    const { database } = own
    const rolledBack = database.transaction(async (tx) => {
      await tx.query('create table seen (value bytea)')
      const inserted = tx.query("insert into seen values ('\\x00ff80')")
      const [read] = await Promise.all([tx.readBytes('select value from seen', []), inserted])
      expect(Buffer.concat([...read!])).toEqual(Buffer.from([0, 255, 128]))
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    const { rows } = await database.query("select to_regclass('seen') as seen")
    expect(rows).toEqual([{ seen: null }])
  })

  test('is complete at any length', async () => {
    for (const length of [0, 1, 1_000, 65_500, 65_536, 400_000, 5_000_000]) {
      expect(await bytes("select repeat('ab', $1::integer)", [length])).toBe('ab'.repeat(length))
    }
  })

  test('that is null is undefined', async () => {
    expect(await bytes('select null::text')).toBeUndefined()
  })

  test('fails with the SQLSTATE of a wrong query, and the connection stays usable', async () => {
    await expect(bytes('selec 1')).rejects.toMatchObject({ code: '42601' })
    await expect(
      bytes("select string_agg((1 / (n - 100))::text, '') from generate_series(1, 100) n"),
    ).rejects.toMatchObject({ code: '22012' })
    expect(await Promise.all(Array.from({ length: 20 }, (_, n) => bytes('select $1', [n])))).toHaveLength(20)
    expect(await read('select 1 as value')).toBe(1)
  })

  test('fails as unavailable when its connection ends', async () => {
    const reading = expect(bytes("select 'x' || pg_sleep(60)")).rejects.toBeInstanceOf(DatabaseUnavailable)
    await sleep(50)
    await endConnections('active')
    await reading
    expect(await bytes("select 'x'")).toBe('x')
  })
})

describe('transactions', () => {
  const count = async (tx: Queryable = own.database) =>
    (await tx.query<{ count: number }>('select count(*) from rows_kept')).rows[0]!.count

  test('a transaction is committed completely or not at all', async () => {
    const { database } = own
    await database.query('create table rows_kept (n integer unique)')
    await database.transaction(async (tx) => {
      await tx.query('insert into rows_kept values (1)')
      await tx.query('insert into rows_kept values (2)')
      expect(await count(tx)).toBe(2)
      expect(await count()).toBe(0)
    })
    expect(await count()).toBe(2)

    const failed = database.transaction(async (tx) => {
      await tx.query('insert into rows_kept values (3)')
      throw new RangeError('no')
    })
    await expect(failed).rejects.toThrow(RangeError)
    expect(await count()).toBe(2)
  })

  test('a transaction that swallowed the error of a statement is not committed', async () => {
    const work = own.database.transaction(async (tx) => {
      await tx.query('insert into rows_kept values (4)')
      await tx.query('insert into rows_kept values (1)').catch(() => {})
    })
    await expect(work).rejects.toThrow(/was rolled back/)
    expect(await count()).toBe(2)
  })

  test('a statement that was not awaited rolls the transaction back', async () => {
    const work = own.database.transaction(async (tx) => {
      void tx.query('insert into rows_kept values (5)')
    })
    await expect(work).rejects.toThrow(/before one of its statements finished/)
    expect(await count()).toBe(2)
  })

  test('returning the last statement counts as awaiting it', async () => {
    const { rowCount } = await own.database.transaction((tx) => tx.query('select 1'))
    expect(rowCount).toBe(1)
  })

  test('a statement after the end is refused', async () => {
    let kept: Queryable | undefined
    await own.database.transaction(async (tx) => {
      kept = tx
    })
    await expect(kept!.query('select 1')).rejects.toThrow(/has already ended/)
  })

  test('statements that are sent together run one after the other', async () => {
    const values = await own.database.transaction((tx) =>
      Promise.all([1, 2, 3].map(async (n) => (await tx.query('select $1::int as n', [n])).rows[0])),
    )
    expect(values).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  })

  test('isolation level, read-only mode, and time limit apply to that transaction only', async () => {
    const settings = async (tx: Queryable) =>
      (
        await tx.query(
          `select current_setting('transaction_isolation') as isolation,
            current_setting('transaction_read_only') as read_only, current_setting('statement_timeout') as timeout`,
        )
      ).rows[0]
    const options = { isolation: 'repeatable read', readOnly: true, statementTimeoutMs: 1234 } as const
    expect(await own.database.transaction(settings, options)).toEqual({
      isolation: 'repeatable read',
      read_only: 'on',
      timeout: '1234ms',
    })
    const plain = { isolation: 'read committed', read_only: 'off', timeout: '30s' }
    await Promise.all(
      [1, 2, 3, 4].map(async () => expect(await own.database.transaction(settings)).toEqual(plain)),
    )
  })

  test('a statement over its time limit fails as unavailable, and its transaction is rolled back', async () => {
    const work = own.database.transaction(
      async (tx) => {
        await tx.query('insert into rows_kept values (6)')
        await tx.query('select pg_sleep(60)')
      },
      { statementTimeoutMs: 50 },
    )
    await expect(work).rejects.toMatchObject({ name: 'DatabaseUnavailable', outcomeUnknown: false })
    expect(await count()).toBe(2)
  })
})

describe('statements that were prepared for columns of other types', () => {
  /** Prepares a statement on every connection of the pool, and then changes the type of its column. */
  async function prepareOutdated(table: string) {
    const read = (database: Queryable) =>
      database.query<{ value: unknown }>(`select value from ${table}`, undefined, { name: table })
    await own.database.query(`create table ${table} as select 7 as value`)
    await Promise.all(Array.from({ length: 8 }, () => own.database.transaction((tx) => read(tx))))
    await own.database.query(`drop table ${table}; create table ${table} as select 7::text as value`)
    return read
  }

  test('are prepared anew, without an error', async () => {
    const read = await prepareOutdated('outside_transactions')
    for (let time = 0; time < 8; time++) expect((await read(own.database)).rows).toEqual([{ value: '7' }])
  })

  test('fail once as unavailable within a transaction, and that connection is discarded', async () => {
    const read = await prepareOutdated('within_transactions')
    let failures = 0
    for (let time = 0; time < 12; time++) {
      try {
        const { rows } = await own.database.transaction((tx) => read(tx))
        expect(rows).toEqual([{ value: '7' }])
      } catch (error) {
        expect(error).toBeInstanceOf(DatabaseUnavailable)
        expect((error as DatabaseUnavailable).outcomeUnknown).toBe(false)
        failures++
      }
    }
    expect(failures).toBeGreaterThan(0)
    expect(failures).toBeLessThanOrEqual(4)
  })
})

describe('connections that end', () => {
  test('idle connections are replaced without an error', async () => {
    await Promise.all([1, 2, 3, 4].map(() => own.database.query('select 1')))
    await endConnections('idle')
    await sleep(50)
    expect(await read('select 1 as value')).toBe(1)
  })

  test('a connection that ends within a transaction rolls it back, and it fails as unavailable', async () => {
    const work = own.database.transaction(async (tx) => {
      await tx.query('insert into rows_kept values (7)')
      await endConnections('idle in transaction')
      await sleep(50)
      await tx.query('insert into rows_kept values (8)')
    })
    await expect(work).rejects.toMatchObject({ name: 'DatabaseUnavailable', outcomeUnknown: false })
    expect(await read('select count(*) as value from rows_kept')).toBe(2)
  })

  test('a connection that ends during a statement reports an unknown outcome', async () => {
    const statement = own.database.query('select pg_sleep(60)')
    const refused = expect(statement).rejects.toMatchObject({
      name: 'DatabaseUnavailable',
      outcomeUnknown: true,
    })
    await sleep(50)
    await endConnections('active')
    await refused
  })
})

describe('a pool under stress', () => {
  test('a connection whose peer stops answering is closed', async () => {
    let silent = false
    const proxy = createServer((near) => {
      const far = connect(join(own.target.host, '.s.PGSQL.5432'))
      near.on('data', (chunk) => silent || far.write(chunk)).on('error', () => {})
      far.on('data', (chunk) => silent || near.write(chunk)).on('error', () => {})
      near.on('close', () => far.destroy())
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const target = { ...own.target, host: '127.0.0.1', port: (proxy.address() as AddressInfo).port }
    const distant = connectDatabase({ target, poolSize: 1 })
    try {
      const work = distant.transaction(
        async (tx) => {
          await tx.query('select 1')
          silent = true
          await tx.query('select 2')
        },
        { statementTimeoutMs: 100 },
      )
      await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable)
      silent = false
      expect((await distant.query('select 1')).rowCount).toBe(1)
    } finally {
      await distant.close()
      proxy.close()
    }
  })

  test('a caller that gets no connection in time fails as unavailable', async () => {
    const small = connectDatabase({ target: own.target, poolSize: 1 })
    try {
      const holding = small.transaction((tx) => tx.query('select pg_sleep(6)'))
      await expect(small.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable)
      await holding
      expect((await small.query('select 1')).rowCount).toBe(1)
    } finally {
      await small.close()
    }
  })

  test('closing waits for running statements and refuses new ones', async () => {
    const closing = connectDatabase({ target: own.target, poolSize: 2 })
    const underWay = closing.query('select pg_sleep(0.2), 7 as n')
    await sleep(50)
    const closed = closing.close()
    await expect(closing.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect((await underWay).rowCount).toBe(1)
    await closed
  })

  test('closing does not wait forever for a transaction that never ends', async () => {
    const closing = connectDatabase({ target: own.target, poolSize: 1 })
    const never = closing.transaction(() => new Promise(() => {}))
    void never.catch(() => {})
    await sleep(50)
    await closing.close()
  })
})
