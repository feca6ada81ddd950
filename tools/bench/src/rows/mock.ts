// The mock beside Prism itself, over the same contract: one operation, its example.

import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { DEMO_KEY } from '@lotline/mock'
import { inTurns } from '../bench.ts'
import { refuseUnlikeSizes } from '../lookups.ts'
import type { Measurement } from '../measurement.ts'
import { freePort } from '../processes/api.ts'
import { firstLine, startChild, stopChild } from '../processes/child.ts'
import { getRequest, runLoad } from '../processes/load-run.ts'
import { untilAccepts } from '../processes/until-accepts.ts'

const MOCK = new URL('../../../../packages/mock/src/main.ts', import.meta.url)
const CONTRACT = new URL('../../../../packages/contract/src/generated/openapi.json', import.meta.url)
const PRISM = pathToFileURL(createRequire(import.meta.url).resolve('@stoplight/prism-cli'))
const CONNECTIONS = 50
const WARM_SECONDS = 0.5

export const mock: Measurement = {
  name: 'mock',
  measures: [{ name: 'the mock: GET /v1/properties/{zpid}, 50 connections', unit: 'requests/s' }],
  async run(bench) {
    const ours = startChild(MOCK, { args: ['--port', '0', '--quiet'] })
    bench.atEnd(() => stopChild(ours))
    const oursPort = Number(/127\.0\.0\.1:(\d+)/.exec(await firstLine(ours))?.[1])
    const prismPort = await freePort()
    const prism = startChild(PRISM, {
      args: ['mock', CONTRACT.pathname, '--host', '127.0.0.1', '--port', String(prismPort), '-v', 'silent'],
    })
    bench.atEnd(() => stopChild(prism))
    prism.process.stdout!.resume()
    await untilAccepts(prismPort)

    const requests = [getRequest('/v1/properties/48749425', DEMO_KEY)]
    const connections = Array.from({ length: CONNECTIONS }, () => requests)
    const load = (to: number) =>
      runLoad({ ports: [to], seconds: bench.seconds, warmSeconds: WARM_SECONDS, connections })
    const sizes = { ours: 0, prism: 0 }
    const samples = await inTurns(
      bench.rounds,
      async () => {
        const report = await load(oursPort)
        sizes.ours = report.bodyBytes
        return report.perSecond
      },
      async () => {
        const report = await load(prismPort)
        sizes.prism = report.bodyBytes
        return report.perSecond
      },
    )
    await Promise.all([stopChild(ours), stopChild(prism)])
    refuseUnlikeSizes(sizes.ours, sizes.prism)
    return [{ ...samples, note: 'baseline: the command of Prism 5.16.0 on the same contract, with no log' }]
  },
}
