// Wrong bodies of the operations of keys.

import type { Case } from './bad-request.ts'

export const KEY_CASES: Readonly<Record<'createKey' | 'updateKey', readonly Case[]>> = {
  createKey: [
    ['no body', undefined, 'missing_input'],
    ['no name', { allowed_operations: ['getProperty'] }, 'missing_input'],
    ['a list as the body', [], 'invalid_parameter'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'invalid_parameter'],
    ['operations as a text', { name: 'Key', allowed_operations: 'getProperty' }, 'invalid_parameter'],
    ['an empty list of operations', { name: 'Key', allowed_operations: [] }, 'invalid_parameter'],
    [
      'an operation named twice',
      { name: 'Key', allowed_operations: ['getJob', 'getJob'] },
      'invalid_parameter',
    ],
    ['an unknown operation', { name: 'Key', allowed_operations: ['buyHome'] }, 'invalid_parameter'],
    ['a date as the end', { name: 'Key', expires_at: '2100-01-01' }, 'invalid_parameter'],
    ['an end in the past', { name: 'Key', expires_at: '2020-01-01T00:00:00Z' }, 'invalid_parameter'],
    ['a limit without a period', { name: 'Key', credit_limit: { credits: 5 } }, 'missing_input'],
    ['a limit per year', { name: 'Key', credit_limit: { credits: 5, per: 'year' } }, 'invalid_parameter'],
    ['a negative limit', { name: 'Key', credit_limit: { credits: -1, per: 'day' } }, 'invalid_parameter'],
  ],
  updateKey: [
    ['no body', undefined, 'missing_input'],
    ['a list as the body', [], 'invalid_parameter'],
    ['an empty name', { name: '' }, 'invalid_parameter'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'invalid_parameter'],
    ['operations as a text', { allowed_operations: 'getProperty' }, 'invalid_parameter'],
    ['an empty list of operations', { allowed_operations: [] }, 'invalid_parameter'],
    ['a date as the end', { expires_at: '2100-01-01' }, 'invalid_parameter'],
    ['a limit per year', { credit_limit: { credits: 5, per: 'year' } }, 'invalid_parameter'],
    ['a negative limit', { credit_limit: { credits: -1, per: 'day' } }, 'invalid_parameter'],
  ],
}
