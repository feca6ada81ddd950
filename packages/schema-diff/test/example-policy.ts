import { toPolicy } from '../src/policy.ts'

/** A policy with an extension of each kind: the example contract has them all. */
export const examplePolicy = toPolicy('the example policy', {
  extensions: [
    {
      keyword: 'x-credits',
      on: 'operation',
      compare: 'amount',
      rule: 'price',
      title: 'The price',
      breaks: { raised: 'always', lowered: 'never', changed: 'always' },
    },
    {
      keyword: 'x-error-codes',
      on: 'response',
      compare: 'set',
      rule: 'error-code',
      title: 'The error code',
      breaks: { added: 'never', removed: 'always' },
      openEnum: true,
    },
    {
      keyword: 'x-error-code',
      on: 'input',
      compare: 'value',
      rule: 'error-code',
      title: 'The error code of a wrong value',
      breaks: { introduced: 'never', changed: 'request' },
    },
  ],
})
