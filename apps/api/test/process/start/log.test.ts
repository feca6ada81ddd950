import { expect, it } from 'vitest'
import { describeError } from '../../../src/process/telemetry/log.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

const testDatabase = withTestDatabase()

async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

it('an error is logged with its kind, its location, its reason, and its causes', () => {
  const error = new TypeError('no such thing', {
    cause: Object.assign(new Error('gone'), { code: 'ECONNRESET' }),
  })
  expect(describeError(error)).toEqual({
    type: 'TypeError',
    message: 'no such thing',
    stack: expect.stringMatching(/^ +at .*log\.test\.ts/),
    cause: { type: 'Error', message: 'gone', code: 'ECONNRESET', stack: expect.stringMatching(/^ +at /) },
  })
})

it('a failed statement is logged without the affected rows', async () => {
  const { database } = testDatabase
  await database.query(`
    create table homes (zpid integer primary key, address text check (address <> '1 Secret Street'));
    insert into homes values (1, '2 Secret Street')`)
  for (const [statement, code] of [
    [`insert into homes values (1, '3 Secret Street')`, '23505'],
    [`insert into homes values (2, '1 Secret Street')`, '23514'],
    [`insert into homes values ('4 Secret Street', null)`, '22P02'],
  ] as const) {
    const described = describeError(await thrownBy(() => database.query(statement)))
    expect(described).toMatchObject({ type: 'DatabaseError', code })
    expect(JSON.stringify(described)).not.toMatch(/Secret Street/)
  }
})

it('an unparsable text is not repeated', async () => {
  const described = describeError(await thrownBy(() => JSON.parse('{"address": 1 Secret Street')))
  expect(described.type).toBe('SyntaxError')
  expect(JSON.stringify(described)).not.toContain('Secret')
})

it('any other thrown value is not shown', () => {
  expect(describeError({ key: 'secret' })).toEqual({
    type: 'object',
    message: expect.not.stringContaining('secret'),
  })
})
