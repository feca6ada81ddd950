// Who audits the auditor: a real, calm run gives it evidence in which nothing is wrong, and then each fault that it is
// there to find is planted in turn.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../src/audit/audit.ts'
import { CHECKS } from '../src/audit/checks/index.ts'
import type { Evidence } from '../src/audit/evidence.ts'
import { FORMS } from '../src/schedule.ts'
import { withTorture } from '../src/torture.ts'
import { PLANTS } from './plants/index.ts'
import { withPlanted } from './plants/plant.ts'

const directory = await mkdtemp(join(tmpdir(), 'lotline-auditor-'))
/** For files with something planted in them. */
const beside = await mkdtemp(join(tmpdir(), 'lotline-auditor-'))
const judged = Promise.withResolvers<void>()
let run: Promise<void>
let evidence: Evidence

beforeAll(async () => {
  const given = Promise.withResolvers<Evidence>()
  run = withTorture({ form: FORMS.calm, seed: '1', set: 'single', directory, say: () => {} }, (found) => {
    given.resolve(found)
    return judged.promise
  })
  evidence = await Promise.race([given.promise, run.then(() => Promise.reject(new Error('It ended.')))])
}, 300_000)

afterAll(async () => {
  judged.resolve()
  await run.finally(async () => {
    for (const made of [directory, beside]) await rm(made, { recursive: true, force: true })
  })
}, 60_000)

describe('the auditor', () => {
  it('finds no fault in an honest run and checks enough records', { timeout: 60_000 }, async () => {
    expect((await audit(evidence)).filter(({ holds }) => !holds)).toEqual([])
  })

  it.each(PLANTS)('reports the planted fault: $name', { timeout: 30_000 }, async (plant) => {
    await withPlanted(evidence, plant, beside, async (planted) => {
      for (const name of plant.named) {
        const contradictions: string[] = []
        await CHECKS[name](planted, (contradiction) => void contradictions.push(contradiction))
        expect(contradictions, name).not.toEqual([])
      }
    })
  })

  it('has a planted fault for each of its checks', () => {
    const named = new Set(PLANTS.flatMap((plant) => plant.named))
    expect(Object.keys(CHECKS).filter((name) => !named.has(name as keyof typeof CHECKS))).toEqual([])
  })
})
