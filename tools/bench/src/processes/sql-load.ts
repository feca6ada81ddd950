// The baseline of a search: the same statements over one connection to the same database, and nothing around them.

import { json } from 'node:stream/consumers'
import { openDatabase } from '@lotline/api/infrastructure/database/database.ts'
import { quantile } from '../statistics.ts'

export interface SqlOrder {
  readonly dataDir: string
  readonly seconds: number
  readonly warmSeconds: number
  readonly statements: readonly { readonly text: string; readonly values: readonly unknown[] }[]
}

export interface SqlReport {
  readonly p50Ms: number
  readonly perSecond: number
}

const { dataDir, seconds, warmSeconds, statements } = (await json(process.stdin)) as SqlOrder
const database = await openDatabase({
  config: { dataDir, databaseUrl: undefined },
  as: 'command',
  poolSize: 1,
  migrate: false,
})
const begin = performance.now() + warmSeconds * 1_000
const end = begin + seconds * 1_000
const latencies: number[] = []
for (let count = 0; performance.now() < end || latencies.length === 0; count++) {
  const { text, values } = statements[count % statements.length]!
  const sentAt = performance.now()
  await database.query(text, values)
  if (sentAt >= begin) latencies.push(performance.now() - sentAt)
}
await database.close()
const report: SqlReport = { p50Ms: quantile(latencies, 0.5), perSecond: latencies.length / seconds }
process.stdout.write(JSON.stringify(report))
