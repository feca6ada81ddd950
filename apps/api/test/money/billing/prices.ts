// The price list of the tests.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FILE = join(mkdtempSync(join(tmpdir(), 'lotline-prices-')), 'prices.yaml')
writeFileSync(
  FILE,
  `currency: usd
plans: { monthly: 49, annual: 490 }
packs:
  - { id: small, credits: 500, price: 25 }
  - { id: large, credits: 5000, price: 199.99 }
`,
)
export const BILLING_FILE = FILE
