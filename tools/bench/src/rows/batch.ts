// A batch of as many homes as one call takes, all of them cached, from its acceptance until it is seen to have succeeded.

import type { Measurement } from '../measurement.ts'
import { runJob } from '../processes/call.ts'

const RECORDS = 500
const JOBS_A_ROUND = 3

export const batch: Measurement = {
  name: 'batch',
  measures: [
    {
      name: 'batch job of 500 cached records, accepted to succeeded',
      unit: 'records/s',
      target: { of: 'ours', bound: 'at least', value: 2_000 },
    },
  ],
  async run(bench) {
    const { api, accounts, database } = await bench.sample()
    const { rows } = await database.query<{ zpid: string }>(
      'select zpid from listings where not is_building order by zpid desc limit $1',
      [RECORDS],
    )
    const urls = rows.map(({ zpid }) => `https://www.zillow.com/homedetails/${zpid}_zpid/`)
    const { key } = accounts[0]!
    const run = async () => {
      const { job, seconds } = await runJob(api, key, '/v1/properties/batch', { urls })
      if (job.result_count !== RECORDS)
        throw new Error(`the job has ${job.result_count} rows, not ${RECORDS}`)
      return RECORDS / seconds
    }
    await run()
    const ours: number[] = []
    for (let count = 0; count < bench.rounds * JOBS_A_ROUND; count++) ours.push(await run())
    return [
      {
        ours,
        note: `${ours.length} jobs, one after the other; the time is the client's, who asks every 10 ms`,
      },
    ]
  },
}
