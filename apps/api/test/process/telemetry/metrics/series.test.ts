// Our series beside prom-client's own: what Prometheus reads is the same.

import { Counter, Histogram, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { CounterSeries, HistogramSeries } from '../../../../src/process/telemetry/metrics/series.ts'

const named = { name: 'lotline_x', help: 'what it is' }

async function bothTexts(fill: (ours: Registry, theirs: Registry) => void): Promise<[string, string]> {
  const [ours, theirs] = [new Registry(), new Registry()]
  fill(ours, theirs)
  return [await ours.metrics(), await theirs.metrics()]
}

describe('a counter', () => {
  it.each([[[]], [['a']], [['a', 'b']]])(
    'with the labels %j prints the same as prom-client',
    async (labelNames) => {
      const [ours, theirs] = await bothTexts((our, their) => {
        const mine = new CounterSeries({ ...named, labelNames, registers: [our] })
        const reference = new Counter({ ...named, labelNames, registers: [their] })
        for (const [at, count] of [1, 2, 0, 7.5, 1].entries()) {
          const values = labelNames.map((_, label) => `va"lue\n${(at + label) % 2}`)
          mine.add(count, ...values)
          reference.inc(Object.fromEntries(labelNames.map((name, label) => [name, values[label]!])), count)
        }
      })
      expect(ours).toBe(theirs)
    },
  )

  it('without counts prints the same as prom-client', async () => {
    const [ours, theirs] = await bothTexts((our, their) => {
      new CounterSeries({ ...named, labelNames: ['a'], registers: [our] })
      new Counter({ ...named, labelNames: ['a'], registers: [their] })
    })
    expect(ours).toBe(theirs)
  })
})

describe('a histogram', () => {
  const buckets = [0.001, 0.5, 1, 10]
  it.each([[[]], [['a']], [['a', 'b', 'c']]])(
    'with the labels %j prints the same as prom-client',
    async (labelNames) => {
      const [ours, theirs] = await bothTexts((our, their) => {
        const mine = new HistogramSeries({ ...named, buckets, labelNames, registers: [our] })
        const reference = new Histogram({ ...named, buckets, labelNames, registers: [their] })
        for (const [at, value] of [0, 0.001, 0.0011, 0.5, 0.7, 1, 10, 10.5, 1e9].entries()) {
          const values = labelNames.map((_, label) => `value ${(at + label) % 3}`)
          mine.record(value, ...values)
          reference.observe(
            Object.fromEntries(labelNames.map((name, label) => [name, values[label]!])),
            value,
          )
        }
      })
      expect(ours).toBe(theirs)
    },
  )

  it('with too few label values is refused', () => {
    const mine = new HistogramSeries({
      ...named,
      buckets,
      labelNames: ['a', 'b'],
      registers: [new Registry()],
    })
    expect(() => mine.record(1, 'only one')).toThrow('need a value each')
  })
})
